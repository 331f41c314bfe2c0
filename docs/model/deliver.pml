/*
 * The delivery of one event to one destination, by the table of moves that lib/deliver/stores.ts says: the intake, two
 * workers, two scans that overlap, the health of the destination, an operator, a deployment that removes the destination,
 * and time. A write of a store is one step. It may be refused, stay unanswered or be made twice, and its process may die
 * before or after it; messages get lost and come twice. A try may succeed, fail, be told that the destination is gone, or
 * hang until its process is killed, which is before its lease is over. A second destination shares nothing but the
 * intake's transaction, so only its row is here. Other events of the destination open and close its circuit. Any failure
 * may be the one that opens it. Left to test/simulation: late writes, clocks that differ, Retry-After, several events.
 */
#ifndef MAX
#define MAX 1      /* tries within the time after which a delivery is given up */
#endif
#ifndef FAULTS
#define FAULTS 1   /* how many calls and messages go wrong */
#endif
#ifndef ACTS
#define ACTS 0     /* how often an operator disables, enables or orders */
#endif
#ifndef REMOVALS
#define REMOVALS 0 /* whether the destination may be removed */
#endif
#ifndef SCANS
#define SCANS 1    /* how many overlap */
#endif
#ifndef TURNS
#define TURNS 1    /* how many probes of this and of other events fail until it is time to give up */
#endif

mtype = { NONE, PENDING, SENDING, DELIVERED, DEAD }                                 /* statuses */
mtype = { CLOSED, OPEN, DISABLED }                                                  /* circuits */
mtype = { MADE, THROTTLED, UNANSWERED, TWICE, DIES_BEFORE, DIES_AFTER }             /* how a call goes */
mtype = { WRITTEN, LOST, POSTPONE, EXHAUST, DROP }                                  /* what it answers */

bool hasEvent, hasSecond         /* whether the event and the row of the second destination are stored */
mtype status = NONE
byte attempts, owner
bool leaseOver, due
bool isMarked                    /* whether the row has a `sweepAt`, */
bool isPaused                    /* and whether that was put off after a hint */
bool hint[MAX + 1]               /* whether a message is on its way that saw so many tries, */
bool probe[MAX + 1]              /* and whether one that the open circuit lets through */

mtype circuit
bool isProbeDue
byte current                     /* who has seen the present version of the health, as a set of bits */

bool isRemoved
byte faults, acts, turns         /* no part of the protocol: what went wrong, and what was done, */
byte running                     /* whose try goes on, */
byte sent                        /* how often it was sent, but for failed probes, */
bool isHinted, isProbed          /* and whether a scan has sent a hint or a probe within its pause */

#define isFinal (status == DELIVERED || status == DEAD)
#define isDue (status == PENDING && due)
#define isAbandoned (status == SENDING && leaseOver)
#define isMine (status == SENDING && owner == me)
#define isLast (attempts >= MAX)
#define isFirst (n < MAX && isDue)
#define isAgain (n < MAX && isAbandoned && !isLast)

/* The guards: a variant is this file behind other definitions of them. */
#ifndef BEFORE_INSERT
#define BEFORE_INSERT skip
#endif
#ifndef ROWS_WITHIN
#define ROWS_WITHIN putRow(); hasSecond = true
#endif
#ifndef AFTER_INSERT
#define AFTER_INSERT skip
#endif
#ifndef MARK_AT_PUT
#define MARK_AT_PUT true
#endif
#ifndef MARK_AT_CLAIM
#define MARK_AT_CLAIM true
#endif
#ifndef MARK_AT_FAILURE
#define MARK_AT_FAILURE true
#endif
#ifndef MARK_AT_ORDER
#define MARK_AT_ORDER true
#endif
#ifndef MAY_CLAIM
#define MAY_CLAIM (attempts == n && isFirst)
#endif
#ifndef MAY_CLAIM_AGAIN
#define MAY_CLAIM_AGAIN (attempts == n && isAgain)
#endif
#ifndef MAY_EXPIRE
#define MAY_EXPIRE (running == 0)
#endif
#ifndef MAY_DELIVER
#define MAY_DELIVER isMine
#endif
#ifndef MAY_FAIL
#define MAY_FAIL isMine
#endif
#ifndef MAY_RELEASE
#define MAY_RELEASE isMine
#endif
#ifndef GIVE_BACK
#define GIVE_BACK attempts = n
#endif
#ifndef END_PROBE
#define END_PROBE release(false)
#endif
#ifndef MAY_EXHAUST
#define MAY_EXHAUST (attempts == n && isAbandoned)
#endif
#ifndef PARK
#define PARK skip
#endif
#ifndef MAY_OPEN
#define MAY_OPEN (circuit == CLOSED)
#endif
#ifndef MAY_CLOSE
#define MAY_CLOSE (circuit == OPEN)
#endif
#ifndef MAY_CHANGE
#define MAY_CHANGE ((current & me) != 0)
#endif
#ifndef MOVE_PROBE
#define MOVE_PROBE isProbeDue = false
#endif
#ifndef IS_SCANNED
#define IS_SCANNED (isMarked && !isPaused && (isDue || isAbandoned))
#endif
#ifndef IS_PROBED
#define IS_PROBED true
#endif
#ifndef PUT_OFF
#define PUT_OFF isPaused = true
#endif
#ifndef MAY_ORDER
#define MAY_ORDER (status != NONE && (status != SENDING || leaseOver))
#endif
#ifndef IS_CLEARED
#define IS_CLEARED (isMarked && (status == PENDING || isAbandoned))
#endif

/* What is given up was tried, or has no destination any more. */
inline moveTo(next, mark) {
  assert(next != DEAD || isRemoved || attempts > 0);
  status = next; due = false; leaseOver = false; owner = 0; running = 0;
  isMarked = mark; isPaused = false; isHinted = false
}

/* What is final stays so, unless an operator wants it again. */
inline settle(next) { assert(!isFinal); moveTo(next, false) }

#define hasAnswer (how == MADE || how == TWICE)
#define isMade (how != THROTTLED && how != DIES_BEFORE)
#define hasDied (how == DIES_BEFORE || how == DIES_AFTER)

inline chooseFault() {
  if
  :: how = MADE
  :: faults < FAULTS ->
     faults++;
     if :: how = THROTTLED :: how = UNANSWERED :: how = TWICE :: how = DIES_BEFORE :: how = DIES_AFTER fi
  fi
}

/* Makes a write, with all that may happen to it; goes to `died` or `outage` when no answer comes. */
#define TRY(write) \
  chooseFault(); \
  if :: isMade -> write :: else -> skip fi; \
  if :: hasDied -> goto died :: hasAnswer -> skip :: else -> goto outage fi
#define AGAIN(write) if :: how == TWICE -> atomic { write; how = MADE } :: else -> skip fi
#define CALL(write) atomic { TRY(write) }; AGAIN(write)

inline send(message) { if :: message = true :: faults < FAULTS -> faults++ fi }

inline putRow() {
  if :: status == NONE -> moveTo(PENDING, MARK_AT_PUT); due = true :: else -> skip fi
}

inline insert() {
  if
  :: !hasEvent -> hasEvent = true; ROWS_WITHIN; answer = WRITTEN
  :: else -> answer = LOST
  fi
}

/* The sender sends again until it is told that the event is stored. */
proctype intake() {
  mtype how, answer
again:
  BEFORE_INSERT;
  CALL(insert());
  AFTER_INSERT;
  if
  :: answer == WRITTEN -> atomic { send(hint[0]) }
  :: else -> skip
  fi;
  atomic { assert(hasEvent && status != NONE && hasSecond); goto done };
outage:
died:
  goto again;
done:
  atomic { how = MADE; answer = DROP }
}

inline begin() {
  assert(status != DELIVERED);
  sent++; hasSent = true;
  assert(sent <= attempts)
}

inline claim() {
  if
  :: MAY_CLAIM || MAY_CLAIM_AGAIN ->
     assert(running == 0);
     moveTo(SENDING, MARK_AT_CLAIM); attempts = n + 1; owner = me; running = me; answer = WRITTEN
  /* An earlier try of this claim was made. */
  :: else ->
     if
     :: isMine -> answer = WRITTEN
     :: !isMine && attempts == n && isLast && isAbandoned -> answer = EXHAUST
     :: !isMine && attempts == n && status == PENDING && !due -> answer = POSTPONE
     :: else -> answer = DROP
     fi
  fi
}

inline deliver() {
  if
  :: MAY_DELIVER -> assert(owner == me); settle(DELIVERED); answer = WRITTEN
  :: else -> answer = LOST
  fi
}

inline fail(isOver) {
  if
  :: MAY_FAIL ->
     assert(owner == me);
     if :: isLast || isOver -> settle(DEAD) :: else -> moveTo(PENDING, MARK_AT_FAILURE) fi;
     answer = WRITTEN
  :: else -> answer = LOST
  fi
}

/* The try is given back. */
inline release(isNow) {
  if
  :: MAY_RELEASE ->
     assert(owner == me);
     moveTo(PENDING, true); due = isNow; GIVE_BACK; sent = sent - hasSent; hasSent = false;
     assert(attempts == n);
     answer = WRITTEN
  :: else -> answer = LOST
  fi
}

inline exhaust() { if :: MAY_EXHAUST -> settle(DEAD) :: else -> skip fi }

/* A probe that fails is given back and is not charged, unless it is time to give up. */
inline failProbe() {
  if
  :: fail(true)
  :: turns < TURNS -> turns++; END_PROBE; assert(answer == LOST || status == DEAD || attempts == n)
  fi
}

/* Only an operator enables what is DISABLED. */
inline change(next) {
  assert(circuit != DISABLED || next == DISABLED);
  circuit = next; current = 0; isProbeDue = false; isProbed = false
}

proctype worker(byte me) {
  mtype how, answer, wanted
  byte n
  bool isProbe, hasSent
end:
  do
  :: atomic {
       if
       :: !isRemoved && hint[0] -> n = 0
       :: !isRemoved && hint[1] -> n = 1
       :: !isRemoved && hint[MAX] -> n = MAX
       :: !isRemoved && probe[0] -> n = 0; isProbe = true
       :: !isRemoved && probe[1] -> n = 1; isProbe = true
       :: !isRemoved && probe[MAX] -> n = MAX; isProbe = true
       fi;
       if
       :: isProbe -> probe[n] = false
       :: !isProbe -> hint[n] = false
       :: faults < FAULTS -> faults++
       fi;
       /* A message names a row. */
       assert(hasEvent);
       /* No two tries have the same owner. */
       if :: owner == me -> owner = 0 :: else -> skip fi;
       if
       :: circuit == DISABLED -> PARK; goto next
       :: circuit == OPEN && !isProbe -> goto next
       :: circuit == OPEN && isProbe -> skip
       :: circuit == CLOSED -> isProbe = false
       fi;
       TRY(claim())
     };
     AGAIN(claim());
     if
     :: answer == WRITTEN ->
        if
        :: atomic { begin(); wanted = CLOSED; TRY(deliver()) }; AGAIN(deliver())
        :: !isProbe ->
           atomic { begin(); if :: wanted = OPEN :: wanted = DISABLED fi; TRY(fail(false)) }; AGAIN(fail(false));
           if
           :: answer == WRITTEN && n + 1 < MAX -> atomic { send(hint[n + 1]) }
           /* What is due late is left to the scan. */
           :: true -> skip
           fi
        :: isProbe ->
           atomic { begin(); if :: wanted = OPEN :: wanted = DISABLED fi; TRY(failProbe()) };
           AGAIN(failProbe())
        /* It hangs until its process is killed. */
        :: atomic { begin(); goto died }
        /* A secret cannot be read. */
        :: atomic { faults < FAULTS -> faults++; goto outage }
        fi;
tell:
        atomic {
          if
          :: wanted == CLOSED && MAY_CLOSE -> skip
          :: wanted == OPEN && MAY_OPEN -> skip
          :: wanted == OPEN -> goto next
          :: wanted == DISABLED && circuit != DISABLED -> skip
          :: faults < FAULTS -> faults++; goto next
          :: else -> goto next
          fi;
          current = current | me
        };
        atomic { if :: MAY_CHANGE -> change(wanted) :: else -> goto tell fi }
     :: answer == EXHAUST -> hasSent = true; CALL(exhaust())
     :: answer == POSTPONE -> goto died
     :: answer == DROP -> skip
     fi;
     goto next;
outage:
     /* What was sent is charged, whatever became of the write after it. */
     atomic {
       chooseFault();
       if :: !hasSent && isMade -> release(true) :: else -> skip fi
     };
died:
     /* The message comes again. */
     atomic {
       if :: running == me -> running = 0 :: else -> skip fi;
       if :: isProbe -> probe[n] = true :: else -> hint[n] = true fi
     };
next:
     atomic {
       n = 0; how = MADE; answer = DROP; wanted = NONE; isProbe = false; hasSent = false
     }
  od
}

inline wake(message) { send(message); isHinted = true; PUT_OFF }

proctype scan(byte me) {
end:
  do
  :: atomic { circuit == CLOSED && !isRemoved && IS_SCANNED -> assert(!isHinted); wake(hint[attempts]) }
  :: atomic {
       circuit == OPEN && !isRemoved && isProbeDue && IS_PROBED && (IS_SCANNED || turns < TURNS) -> current = current | me
     };
     atomic {
       if
       :: MAY_CHANGE && IS_SCANNED ->
          assert(!isProbed); isProbed = true; MOVE_PROBE; current = 0;
          wake(probe[attempts])
       :: MAY_CHANGE && turns < TURNS ->
          turns++; isProbed = true; MOVE_PROBE; current = 0;
          if :: change(CLOSED) :: true fi
       :: else -> current = current & ~me
       fi
     }
  :: atomic { isRemoved && IS_CLEARED -> assert(running == 0); settle(DEAD) }
  od
}

proctype operator() {
end:
  do
  :: atomic { acts < ACTS && circuit != DISABLED -> acts++; change(DISABLED) }
  :: atomic { acts < ACTS && circuit != CLOSED -> acts++; circuit = CLOSED; current = 0 }
  :: atomic {
       acts < ACTS && MAY_ORDER -> acts++;
       attempts = 0; sent = 0; moveTo(PENDING, MARK_AT_ORDER); due = true;
       send(hint[0])
     }
  od
}

proctype deployment() { atomic { isRemoved = true } }

proctype time() {
end:
  do
  :: atomic { status == SENDING && !leaseOver && MAY_EXPIRE -> leaseOver = true }
  :: atomic { status == PENDING && !due -> due = true }
  :: atomic { isPaused -> isPaused = false; isHinted = false }
  :: atomic { circuit == OPEN && !isProbeDue -> isProbeDue = true; isProbed = false }
  od
}

init {
  atomic {
    if :: circuit = CLOSED :: circuit = OPEN :: circuit = DISABLED fi;
    run intake(); run worker(1); run worker(2); run scan(4); run time();
    if :: SCANS > 1 -> run scan(8) :: else -> skip fi;
    if :: ACTS > 0 -> run operator() :: else -> skip fi;
    if :: REMOVALS > 0 -> run deployment() :: else -> skip fi
  }
}

#ifdef LIVENESS
ltl settled { [] (hasEvent -> <> (isFinal || (circuit == DISABLED && !isRemoved))) }
#endif
