// RUN: infer --timeout 60 %s
// EXPECT: requires \valid(e);
// EXPECT: label_equal: no contract
// STATUS: 2
// PERSON entry_drop: \valid(e)
// PERSON entry_rename: \valid(e)
// PERSON entry_new: \true
// PERSON hooks_clear: \valid(h)
//
// What members lead to that nobody looks into: texts, blocks of numbers, functions. A text that the library reads has
// no contract, because none says that it ends.
#include <stdlib.h>
#include <string.h>

struct entry { char *label; double *weights; int n; struct entry *next; };

struct entry *entry_new(int n)
{
  struct entry *e = malloc(sizeof(struct entry));
  e->label = NULL;
  e->weights = NULL;
  e->n = n;
  e->next = NULL;
  return e;
}

void entry_drop(struct entry *e)
{
  if (e->label != NULL) free(e->label);
  free(e);
}

void entry_rename(struct entry *e, struct entry *from)
{
  if (from == NULL || from == e) return;
  free(e->label);
  e->label = from->label;
  from->label = NULL;
}

int label_equal(struct entry *a, struct entry *b)
{
  return strcmp(a->label, b->label) == 0;
}

struct hooks { void *(*take)(int size); void (*give)(void *block); };

void hooks_clear(struct hooks *h)
{
  h->take = NULL;
  h->give = NULL;
}
