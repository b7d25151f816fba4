// RUN: verify --engine vc --timeout 120 %s
// EXPECT: build: violated
// STATUS: 1
#include <stdlib.h>
struct node { struct node *next; int d; };

/*@ requires \list(next, h);
    ensures \result->next == h || \result->next->next == \result; @*/
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
  struct node *x14 = malloc(sizeof *x14); x14->d = 14; x14->next = x13;
  struct node *x15 = malloc(sizeof *x15); x15->d = 15; x15->next = x14;
  struct node *x16 = malloc(sizeof *x16); x16->d = 16; x16->next = x15;
  struct node *x17 = malloc(sizeof *x17); x17->d = 17; x17->next = x16;
  struct node *x18 = malloc(sizeof *x18); x18->d = 18; x18->next = x17;
  struct node *x19 = malloc(sizeof *x19); x19->d = 19; x19->next = x18;
  struct node *x20 = malloc(sizeof *x20); x20->d = 20; x20->next = x19;
  struct node *x21 = malloc(sizeof *x21); x21->d = 21; x21->next = x20;
  struct node *x22 = malloc(sizeof *x22); x22->d = 22; x22->next = x21;
  struct node *x23 = malloc(sizeof *x23); x23->d = 23; x23->next = x22;
  struct node *x24 = malloc(sizeof *x24); x24->d = 24; x24->next = x23;
  struct node *x25 = malloc(sizeof *x25); x25->d = 25; x25->next = x24;
  struct node *x26 = malloc(sizeof *x26); x26->d = 26; x26->next = x25;
  struct node *x27 = malloc(sizeof *x27); x27->d = 27; x27->next = x26;
  struct node *x28 = malloc(sizeof *x28); x28->d = 28; x28->next = x27;
  struct node *x29 = malloc(sizeof *x29); x29->d = 29; x29->next = x28;
  struct node *x30 = malloc(sizeof *x30); x30->d = 30; x30->next = x29;
  struct node *x31 = malloc(sizeof *x31); x31->d = 31; x31->next = x30;
  struct node *x32 = malloc(sizeof *x32); x32->d = 32; x32->next = x31;
  struct node *x33 = malloc(sizeof *x33); x33->d = 33; x33->next = x32;
  struct node *x34 = malloc(sizeof *x34); x34->d = 34; x34->next = x33;
  struct node *x35 = malloc(sizeof *x35); x35->d = 35; x35->next = x34;
  struct node *x36 = malloc(sizeof *x36); x36->d = 36; x36->next = x35;
  struct node *x37 = malloc(sizeof *x37); x37->d = 37; x37->next = x36;
  struct node *x38 = malloc(sizeof *x38); x38->d = 38; x38->next = x37;
  struct node *x39 = malloc(sizeof *x39); x39->d = 39; x39->next = x38;
  return x39;
}
