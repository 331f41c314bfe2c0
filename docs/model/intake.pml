/*
 * What becomes of calls that are alike, as lib/webhooks/place.ts and the insert of lib/adapters/dynamodb make it: two
 * calls of event 1 and one of event 2, which are as much alike as the rule says, each sent once more when no answer
 * came, and time. An insert is one step: the row of the event and that of its content. It may be refused, stay
 * unanswered or be made twice, and its process may die before or after it. Left to test/simulation: crowds, late
 * writes, clocks that differ, the other types of a content.
 */
#ifndef FAULTS
#define FAULTS 1   /* how many calls go wrong */
#endif

#define SENDERS 3
#define KEYS 11       /* those of the events, then those of the calls, then those of contents under one id */

/*
 * What the calls have in common, and how many events they are:
 * NEWS         the content, which is always new; each call is one
 * LOOK_ALIKES  the content, under two ids or two signed times; two
 * HELD         the content, under two ids that nobody signed; two, of which one acts
 * DROPPED      the content, which never repeats, under two ids; one
 * SAME_ID      an id that nobody signed, with two contents; two
 * WINDOW       the content, without an id or a time; one for as long as a sender repeats
 */
mtype = { NEWS, LOOK_ALIKES, HELD, DROPPED, SAME_ID, WINDOW }
mtype = { MADE, THROTTLED, UNANSWERED, TWICE, DIES_BEFORE, DIES_AFTER }             /* how a call goes */
mtype = { INSERTED, PRESENT, REPEATED }                                             /* what it answers */

mtype rule
byte row[KEYS]               /* by its key the call that an event came with, or 0 */
byte dayOf[KEYS]             /* and when */
byte last                    /* the row of the content: the key of the event that had it last, or 0 */
byte day                     /* how often the time has passed in which a sender repeats */
/* No part of the protocol: what went wrong, which events there are, and how many of them act. */
byte faults, stored, acting, latest

/* The second call of a sender is a copy of its first one, and that of sender 2 of sender 1's. */
#define eventOf(call) (call % SENDERS == 0 -> 2 : 1)
#define ownKey (2 + call)
#define otherKey (8 + event)
#define firstKey (rule == NEWS -> ownKey : (rule == SAME_ID || rule == WINDOW -> 1 : event))
#define isMarking (rule == NEWS || rule == LOOK_ALIKES)

/* The guards: a variant is this file behind other definitions of them. */
#ifndef MAY_PUT_EVENT
#define MAY_PUT_EVENT (row[key] == 0)
#endif
#ifndef MAY_PUT_CONTENT
#define MAY_PUT_CONTENT (last == seen)
#endif
#ifndef COMPARES
#define COMPARES (rule != SAME_ID && (rule != WINDOW || key != 1) && !isHeld)
#endif
#ifndef IS_HELD
#define IS_HELD (rule == HELD)
#endif
#ifndef MAY_ACT
#define MAY_ACT (!isHeld)
#endif
#ifndef CONTENT_WITHIN
#define CONTENT_WITHIN last = key
#endif
#ifndef CONTENT_AFTER
#define CONTENT_AFTER skip
#endif
#ifndef IS_OVER
#define IS_OVER (today > dayOf[found])
#endif
#ifndef IS_OTHER
#define IS_OTHER (eventOf(row[found]) != event)
#endif
#ifndef IS_ONE_EVENT
#define IS_ONE_EVENT (rule == DROPPED || isLate)
#endif

#define isRecent(key) (row[key] != 0 && dayOf[key] >= today)
#define isLaterRecent (isRecent(3) || isRecent(4) || isRecent(5) || isRecent(6) || isRecent(7) || isRecent(8))
#define isUnder(key) (row[key] != 0 && eventOf(row[key]) == event)

/* Whether the event of a call is stored. */
inline look() {
  if
  :: rule == NEWS -> isThere = (row[ownKey] == call)
  :: rule == LOOK_ALIKES || rule == HELD -> isThere = (row[event] != 0)
  :: rule == DROPPED -> isThere = (stored > 0)
  :: rule == SAME_ID -> isThere = (isUnder(1) || isUnder(otherKey))
  :: rule == WINDOW -> isThere = (isRecent(1) || isLaterRecent)
  fi
}

#define hasAnswer (how == MADE || how == TWICE)
#define isMade (how != THROTTLED && how != DIES_BEFORE)

inline chooseFault() {
  if
  :: how = MADE
  :: faults < FAULTS ->
     faults++;
     if :: how = THROTTLED :: how = UNANSWERED :: how = TWICE :: how = DIES_BEFORE :: how = DIES_AFTER fi
  fi
}

/* Makes a write, with all that may happen to it; goes to `unanswered` when no answer comes. */
#define CALL(write) \
  atomic { \
    chooseFault(); \
    if :: isMade -> write :: else -> skip fi; \
    if :: hasAnswer -> skip :: else -> goto unanswered fi \
  }; \
  if :: how == TWICE -> atomic { write; how = MADE } :: else -> skip fi

/*
 * No event is stored twice or in another's place; one that is like others names the last of them, one that is held the
 * one that acts, and of those none else does.
 */
inline store() {
  look(); assert(!isThere);
  assert(row[key] == 0);
  assert(!isLate || stored == 0);
  assert(!isMarking || mark == latest);
  row[key] = call; dayOf[key] = today; latest = key; stored++;
  if :: COMPARES -> CONTENT_WITHIN :: else -> skip fi;
  if :: MAY_ACT -> acting++ :: else -> skip fi;
  assert(rule != HELD || (acting == 1 && (!isHeld || mark == last)));
  answer = INSERTED
}

inline insert() {
  found = key;
  if
  /* With the call's own row, an earlier try of this insert was made. */
  :: !(MAY_PUT_EVENT) -> answer = (row[key] == call -> INSERTED : PRESENT)
  :: MAY_PUT_EVENT && COMPARES && !(MAY_PUT_CONTENT) -> answer = REPEATED; found = last
  :: MAY_PUT_EVENT && !(COMPARES && !(MAY_PUT_CONTENT)) -> store()
  fi
}

proctype sender(byte call) {
  mtype how, answer
  byte event, key, seen, found, mark, today
  bool isLate, isHeld, isThere
again:
  atomic {
    event = eventOf(call); key = firstKey; seen = 0; mark = 0; today = day;
    if :: isLate = false :: isMarking -> isLate = true fi
  };
place:
  CALL(insert());
  if
  :: answer == INSERTED -> CONTENT_AFTER
  :: answer == PRESENT ->
     if
     :: rule == WINDOW && key == 1 && IS_OVER -> key = ownKey; goto place
     :: rule == SAME_ID && key == 1 && IS_OTHER -> key = otherKey; goto place
     :: else -> skip
     fi
  :: answer == REPEATED ->
     if
     :: IS_ONE_EVENT || (rule == WINDOW && !(IS_OVER)) -> skip
     :: IS_HELD -> isHeld = true; mark = found; goto place
     :: else -> seen = found; mark = (isMarking -> found : 0); goto place
     fi
  fi;
  /* What is acknowledged is stored. */
  atomic { look(); assert(isThere || (isLate && stored > 0)); goto done };
unanswered:
  if :: call <= SENDERS -> call = call + SENDERS; isHeld = false; goto again :: else -> skip fi;
done:
  atomic {
    how = MADE; answer = INSERTED; isLate = false; isHeld = false; isThere = false;
    event = 0; key = 0; seen = 0; found = 0; mark = 0; today = 0
  }
}

proctype time() {
  do
  :: rule == WINDOW && day < 2 -> day++
  :: break
  od
}

init {
  atomic {
    if :: rule = NEWS :: rule = LOOK_ALIKES :: rule = HELD :: rule = DROPPED :: rule = SAME_ID :: rule = WINDOW fi;
    run sender(1); run sender(2); run sender(3); run time()
  }
}
