// expect: verified
#include <stdlib.h>
struct node { struct node *next; int d; };

/*@ requires \list(next, h);
    ensures \list(next, \result) && \result != h && \result->d == 13 && \result->next->d == 12 && !(h -next*-> \result); @*/
struct node *build(struct node *h) {
  struct node *x0 = malloc(sizeof *x0); x0->d = 0; x0->next = h;
  struct node *x1 = malloc(sizeof *x1); x1->d = 1; x1->next = x0;
  struct node *x2 = malloc(sizeof *x2); x2->d = 2; x2->next = x1;
  struct node *x3 = malloc(sizeof *x3); x3->d = 3; x3->next = x2;
  struct node *x4 = malloc(sizeof *x4); x4->d = 4; x4->next = x3;
  struct node *x5 = malloc(sizeof *x5); x5->d = 5; x5->next = x4;
  struct node *x6 = malloc(sizeof *x6); x6->d = 6; x6->next = x5;
  struct node *x7 = malloc(sizeof *x7); x7->d = 7; x7->next = x6;
  struct node *x8 = malloc(sizeof *x8); x8->d = 8; x8->next = x7;
  struct node *x9 = malloc(sizeof *x9); x9->d = 9; x9->next = x8;
  struct node *x10 = malloc(sizeof *x10); x10->d = 10; x10->next = x9;
  struct node *x11 = malloc(sizeof *x11); x11->d = 11; x11->next = x10;
  struct node *x12 = malloc(sizeof *x12); x12->d = 12; x12->next = x11;
  struct node *x13 = malloc(sizeof *x13); x13->d = 13; x13->next = x12;
  return x13;
}
