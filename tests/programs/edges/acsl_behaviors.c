// RUN: verify %s
// EXPECT: :clamp: verified
// EXPECT: :clamp[low]: verified
// EXPECT: :clamp[high]: verified
// EXPECT: :gap: violated
// EXPECT: :gap[below]: verified
// EXPECT: :overlap: violated
// EXPECT: :use: verified
// EXPECT: :outside: violated
// STATUS: 1

/*@ requires low <= high;
    behavior low:  assumes x < low;  ensures \result == low;
    behavior high: assumes x >= low; requires high >= 0; ensures \result == \min(x, high);
    complete behaviors;
    disjoint behaviors low, high; @*/
int clamp(int x, int low, int high)
{
  if (x < low) return low;
  return x > high ? high : x;
}

/*@ behavior below: assumes x < 0; ensures \result == 0;
    behavior above: assumes x > 0; ensures \result == 1;
    complete behaviors below, above; @*/
int gap(int x) { return x > 0; }

/*@ behavior a: assumes x <= 0; ensures \result == 0;
    behavior b: assumes x >= 0; ensures \true;
    disjoint behaviors; @*/
int overlap(int x) { return 0; }

/*@ ensures \result == 3; @*/
int use(void) { return clamp(1, 3, 5); }

/*@ ensures \result == -3; @*/
int outside(void) { return clamp(4, -5, -3); }
