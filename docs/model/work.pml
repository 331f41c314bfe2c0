/*
 * The protocol of lib/work for one row, with the conditions that lib/adapters/dynamodb writes: an event until it is
 * processed or dead (docs/decisions/0007), or, with DELIVERY, the delivery of one event to one destination. Two workers,
 * the scan, an operator, time, and what stores the row. A write of a store is one step. It may be refused, stay
 * unanswered or be made twice, and its process may die before or after it; messages get lost and come twice. A run may
 * succeed, fail or kill its process. Left to test/simulation: late writes, clocks that differ, several rows.
 *
 * What differs:
 *   an event      has its effect in the write that finishes its run, so a run may outlive its lease; two calls store it,
 *                 with or without a run of their own; it may be a batch, whose elements a worker writes
 *   a delivery    is sent before the write that ends its run, so the lease outlives the run, and the run is spent by then;
 *                 the circuit of its destination lets it pass or not, and other events open and close it; a deployment may
 *                 remove the destination; a second destination shares nothing but the intake's transaction, so only its
 *                 row is here. Left to the simulation: Retry-After
 */
#ifndef MAX
#define MAX 1      /* runs of an event besides the first, or tries of a delivery until it is given up */
#endif
#ifndef FAULTS
#define FAULTS 1   /* how many calls and messages go wrong */
#endif
#ifndef ACTS
#define ACTS 0     /* how often an operator orders a run, and disables or enables the destination */
#endif
#ifndef SCANS
#define SCANS 1    /* how many overlap */
#endif
#ifndef BATCHES
#define BATCHES 0  /* whether the event may be a batch */
#endif
#ifndef REMOVALS
#define REMOVALS 0 /* whether the destination may be removed */
#endif
#ifndef TURNS
#define TURNS 1    /* how many probes of this and of other events fail until it is time to give up */
#endif

mtype = { NONE, WAITING, RUNNING, DONE, DEAD }                                      /* statuses */
mtype = { CLOSED, OPEN, DISABLED }                                                  /* circuits */
mtype = { MADE, THROTTLED, UNANSWERED, TWICE, DIES_BEFORE, DIES_AFTER }             /* how a call goes */
mtype = { WRITTEN, LOST, POSTPONE, EXHAUST, DROP }                                  /* what it answers */

#ifdef DELIVERY
#define MOST MAX           /* runs of a row */
#define FIRST_RUN 0        /* what an order leaves of the number of runs */
#define AT_ORDER runs = 0
#else
#define MOST (MAX + 1)
#define FIRST_RUN 1        /* the first run of an event is no attempt */
#define AT_ORDER before = before + attempts - unmade   /* a run may outlive its lease, and the order */
#endif

mtype status = NONE
byte attempts, owner         /* how many runs are charged, the intake's own included */
bool leaseOver, due
bool isMarked                /* whether the row has a `sweepAt`, */
bool isPaused                /* and whether that was put off after a hint */
bool hint[MOST + 1]          /* whether a message is on its way that saw so many runs, */
bool probe[MOST + 1]         /* and whether one that the open circuit lets through */

bool isHandedOver            /* whether the intake leaves the event to a worker */
bool isBatch, hasElements
bool hasEvent, hasSecond     /* whether the event of a delivery and the row of the second destination are stored */
mtype circuit = CLOSED
bool isProbeDue
byte current                 /* who has seen the present version of the health, as a set of bits */
bool isRemoved

byte faults, acts, turns     /* no part of the protocol: what went wrong, and what was done, */
byte running                 /* whose run goes on, within its lease, */
byte effects, runs           /* how often it had its effect, and a run, but for failed probes, */
byte unmade, before          /* the charged runs that no worker makes, and those charged before an order, */
bool isHinted, isProbed      /* and whether a scan has sent a hint or a probe within its pause */

#define isFinal (status == DONE || status == DEAD)
#define isDue (status == WAITING && due)
#define isAbandoned (status == RUNNING && leaseOver)
#define isMine (status == RUNNING && owner == me)
#define isLast (attempts >= MOST)
#define isFirst (n < MOST && isDue)
#define isAgain (n < MOST && isAbandoned && !isLast)

#ifdef DELIVERY
#define isStored hasEvent
#define isHeld (circuit == DISABLED && !isRemoved)
#else
#define isStored (status != NONE)
#define isHeld false
#endif

/* The guards: a variant is this file behind other definitions of them. */
#ifndef MAY_CLAIM
#define MAY_CLAIM (attempts == n && isFirst)
#endif
#ifndef MAY_CLAIM_AGAIN
#define MAY_CLAIM_AGAIN (attempts == n && isAgain)
#endif
#ifndef BEFORE_CLAIM
#define BEFORE_CLAIM skip
#endif
#ifndef CHARGE_AT_CLAIM
#define CHARGE_AT_CLAIM attempts = n + 1
#endif
#ifndef CHARGE_AT_FAILURE
#define CHARGE_AT_FAILURE skip
#endif
#ifndef MAY_FINISH
#define MAY_FINISH isMine
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
#ifndef MAY_EXHAUST
#define MAY_EXHAUST (attempts == n && (status == WAITING || isAbandoned))
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
#ifndef IS_SCANNED
#define IS_SCANNED (isMarked && !isPaused && (isDue || isAbandoned))
#endif
#ifndef PUT_OFF
#define PUT_OFF isPaused = true
#endif
/* Those of an event. */
#ifndef MAY_INSERT
#define MAY_INSERT (status == NONE)
#endif
#ifndef IS_OWN_PUT
#define IS_OWN_PUT hasStored
#endif
#ifndef EFFECT_BEFORE
#define EFFECT_BEFORE skip
#endif
#ifndef EFFECT_WITHIN
#define EFFECT_WITHIN applyEffect()
#endif
#ifndef WRITE_ELEMENTS
#define WRITE_ELEMENTS if :: isBatch -> CALL(hasElements = true) :: else -> skip fi
#endif
/* Those of a delivery. */
#ifndef BEFORE_INSERT
#define BEFORE_INSERT skip
#endif
#ifndef ROWS_WITHIN
#define ROWS_WITHIN putRow(); hasSecond = true
#endif
#ifndef AFTER_INSERT
#define AFTER_INSERT skip
#endif
#ifndef END_PROBE
#define END_PROBE release(false)
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
#ifndef IS_PROBED
#define IS_PROBED true
#endif
#ifndef IS_CLEARED
#define IS_CLEARED (isMarked && (status == WAITING || isAbandoned))
#endif
/* Those that differ. */
#ifdef DELIVERY
#ifndef MAY_EXPIRE
#define MAY_EXPIRE (running == 0)
#endif
#ifndef MAY_ORDER
#define MAY_ORDER (status != NONE && (status != RUNNING || leaseOver))
#endif
#else
#ifndef MAY_EXPIRE
#define MAY_EXPIRE true
#endif
#ifndef MAY_ORDER
#define MAY_ORDER ((status == WAITING && attempts > 0) || status == DEAD)
#endif
#endif

inline set(next, mark) {
  status = next; due = false; leaseOver = false; isMarked = mark; isPaused = false; isHinted = false
}

/* What is final stays so, and what is given up was tried, or has no destination any more. */
inline moveTo(next, mark) {
  assert(!isFinal);
  assert(next != DEAD || isRemoved || attempts > 0);
#ifndef DELIVERY
  /* Only what is done had its effect, and then has its elements. */
  assert((next == DONE) == (effects == 1));
  assert(next != DONE || hasElements || !isBatch);
#endif
  running = 0;
  set(next, mark)
}

#ifdef DELIVERY
inline applyEffect() { skip }
#else
inline applyEffect() { effects++; assert(effects == 1) }
#endif

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

#ifdef DELIVERY
inline putRow() {
  if :: status == NONE -> moveTo(WAITING, MARK_AT_PUT); due = true :: else -> skip fi
}

inline insert() {
  if
  :: !hasEvent -> hasEvent = true; ROWS_WITHIN; answer = WRITTEN
  :: else -> answer = LOST
  fi
}

/* The sender sends again until it is told that the event is stored. */
proctype intake(byte me) {
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
#else
inline insert() {
  if
  :: MAY_INSERT ->
     if :: wanted == DONE -> EFFECT_WITHIN :: else -> skip fi;
     moveTo((wanted == DONE -> DONE : WAITING), wanted != DONE && MARK_AT_PUT);
     unmade = (wanted == RUNNING -> 0 : 1); attempts = unmade; due = (wanted == RUNNING);
     hasStored = true; answer = WRITTEN
  :: else -> answer = (IS_OWN_PUT -> WRITTEN : LOST)
  fi
}

/* It has run the handler, with that result, or leaves the run to a worker. */
proctype intake(byte me) {
  mtype how, wanted, answer
  bool hasStored
  if
  :: isHandedOver -> wanted = RUNNING
  :: !isHandedOver -> wanted = DONE
  :: !isHandedOver -> wanted = WAITING
  :: !isHandedOver -> goto died
  fi;
  if :: wanted == DONE -> atomic { EFFECT_BEFORE } :: else -> skip fi;
  CALL(insert());
  if
  :: answer == WRITTEN && wanted == RUNNING -> atomic { send(hint[0]) }
  :: answer == WRITTEN && wanted == WAITING -> atomic { send(hint[1]) }
  /* Whoever stored an event that waits for a run wakes a worker up. */
  :: else -> assert(!hasStored || wanted == DONE)
  fi;
outage:
died:
  atomic { how = MADE; wanted = NONE; answer = DROP; hasStored = false }
}
#endif

inline claim() {
  if
  :: MAY_CLAIM || MAY_CLAIM_AGAIN ->
     assert(running == 0);
     moveTo(RUNNING, MARK_AT_CLAIM); CHARGE_AT_CLAIM; owner = me; running = me; answer = WRITTEN
  /* An earlier try of this claim was made. */
  :: else ->
     if
     :: isMine -> answer = WRITTEN
     :: !isMine && attempts == n && isLast && (status == WAITING || isAbandoned) -> answer = EXHAUST
     :: !isMine && attempts == n && !isLast && status == WAITING && !due -> answer = POSTPONE
     :: else -> answer = DROP
     fi
  fi
}

/* A run is counted as it ends: between its claim and its end anything may happen. */
inline begin() {
  runs++; hasRun = true;
  assert(runs <= before + attempts - unmade);
#ifdef DELIVERY
  assert(status != DONE);
  isSpent = true
#endif
}

inline finish() {
  if
  :: MAY_FINISH -> assert(owner == me); EFFECT_WITHIN; moveTo(DONE, false); answer = WRITTEN
  :: else -> answer = LOST
  fi
}

inline fail(isOver) {
  if
  :: MAY_FAIL ->
     assert(owner == me); CHARGE_AT_FAILURE;
     if :: isLast || isOver -> moveTo(DEAD, false) :: else -> moveTo(WAITING, MARK_AT_FAILURE) fi;
     answer = WRITTEN
  :: else -> answer = (owner == me && status == WAITING -> WRITTEN : LOST)
  fi
}

/* The attempt is given back. */
inline release(isNow) {
  if
  :: MAY_RELEASE ->
     assert(owner == me);
     moveTo(WAITING, true); due = isNow; GIVE_BACK; runs = runs - hasRun; hasRun = false;
     assert(attempts == n);
     answer = WRITTEN
  :: else -> answer = LOST
  fi
}

inline exhaust() { if :: MAY_EXHAUST -> moveTo(DEAD, false) :: else -> skip fi }

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

/* What a failed run says of the destination: any failure may be the one that opens its circuit. */
#ifdef DELIVERY
#define CHOOSE_CIRCUIT if :: wanted = OPEN :: wanted = DISABLED fi
#else
#define CHOOSE_CIRCUIT skip
#endif

proctype worker(byte me) {
  mtype how, answer, wanted
  byte n
  bool isProbe, hasRun, isSpent     /* whether the run is used up, whatever comes */
end:
  do
  :: atomic {
       if
       :: !isRemoved && hint[0] -> n = 0
       :: !isRemoved && hint[1] -> n = 1
       :: !isRemoved && hint[MOST - 1] -> n = MOST - 1
       :: !isRemoved && hint[MOST] -> n = MOST
#ifdef DELIVERY
       :: !isRemoved && probe[0] -> n = 0; isProbe = true
       :: !isRemoved && probe[1] -> n = 1; isProbe = true
       :: !isRemoved && probe[MOST] -> n = MOST; isProbe = true
#endif
       fi;
       if
       :: isProbe -> probe[n] = false
       :: !isProbe -> hint[n] = false
       :: faults < FAULTS -> faults++
       fi;
       /* A message names a row. */
       assert(isStored);
       /* No two runs have the same owner. */
       if :: owner == me -> owner = 0 :: else -> skip fi;
       if
       :: circuit == DISABLED -> PARK; goto next
       :: circuit == OPEN && !isProbe -> goto next
       :: circuit == OPEN && isProbe -> skip
       :: circuit == CLOSED -> isProbe = false
       fi;
       BEFORE_CLAIM;
       TRY(claim())
     };
     AGAIN(claim());
     if
     :: answer == WRITTEN ->
        WRITE_ELEMENTS;
        if
        :: atomic { begin(); wanted = CLOSED; EFFECT_BEFORE; TRY(finish()) }; AGAIN(finish())
        :: !isProbe ->
           atomic { begin(); isSpent = true; CHOOSE_CIRCUIT; TRY(fail(false)) }; AGAIN(fail(false));
           if
           :: answer == WRITTEN && n + 1 < MOST -> atomic { send(hint[n + 1]) }
           /* What is due late is left to the scan. */
           :: true -> skip
           fi
#ifdef DELIVERY
        :: isProbe ->
           atomic { begin(); CHOOSE_CIRCUIT; TRY(failProbe()) };
           AGAIN(failProbe())
        /* A secret cannot be read. */
        :: atomic { faults < FAULTS -> faults++; goto outage }
#endif
        /* It kills its process, or hangs until that is killed. */
        :: atomic { begin(); goto died }
        fi;
#ifdef DELIVERY
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
#endif
     :: answer == EXHAUST -> isSpent = true; CALL(exhaust())
     :: answer == POSTPONE -> goto died
     :: answer == DROP -> skip
     fi;
     goto next;
outage:
     /* What is spent is charged, whatever became of the write after it. */
     atomic {
       chooseFault();
       if :: !isSpent && isMade -> release(true) :: else -> skip fi
     };
died:
     /* The message comes again. */
     atomic {
#ifdef DELIVERY
       if :: running == me -> running = 0 :: else -> skip fi;
#endif
       if :: isProbe -> probe[n] = true :: else -> hint[n] = true fi
     };
next:
     atomic {
       n = 0; how = MADE; answer = DROP; wanted = NONE; isProbe = false; hasRun = false; isSpent = false
     }
  od
}

inline wake(message) { send(message); isHinted = true; PUT_OFF }

proctype scan(byte me) {
end:
  do
  :: atomic { circuit == CLOSED && !isRemoved && IS_SCANNED -> assert(!isHinted); wake(hint[attempts]) }
#ifdef DELIVERY
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
  :: atomic { isRemoved && IS_CLEARED -> assert(running == 0); moveTo(DEAD, false) }
#endif
  od
}

proctype operator() {
end:
  do
  /* What is ordered is due at once, with all its runs. */
  :: atomic {
       acts < ACTS && MAY_ORDER -> acts++; assert(effects == 0);
       AT_ORDER; attempts = FIRST_RUN; unmade = FIRST_RUN; set(WAITING, MARK_AT_ORDER); due = true;
       send(hint[FIRST_RUN])
     }
#ifdef DELIVERY
  :: atomic { acts < ACTS && circuit != DISABLED -> acts++; change(DISABLED) }
  :: atomic { acts < ACTS && circuit != CLOSED -> acts++; circuit = CLOSED; current = 0 }
#endif
  od
}

proctype deployment() { atomic { isRemoved = true } }

proctype time() {
end:
  do
  :: atomic { status == RUNNING && !leaseOver && MAY_EXPIRE -> leaseOver = true; running = 0 }
  :: atomic { status == WAITING && !due -> due = true }
  :: atomic { isPaused -> isPaused = false; isHinted = false }
  :: atomic { circuit == OPEN && !isProbeDue -> isProbeDue = true; isProbed = false }
  od
}

init {
  atomic {
#ifdef DELIVERY
    if :: circuit = CLOSED :: circuit = OPEN :: circuit = DISABLED fi;
#else
    if
    :: isHandedOver = true
    :: isHandedOver = false
    :: BATCHES -> isHandedOver = true; isBatch = true
    fi;
    run intake(2);
#endif
    run intake(1); run worker(1); run worker(2); run scan(4); run time();
    if :: SCANS > 1 -> run scan(8) :: else -> skip fi;
    if :: ACTS > 0 -> run operator() :: else -> skip fi;
    if :: REMOVALS > 0 -> run deployment() :: else -> skip fi
  }
}

#ifdef LIVENESS
ltl settled { [] (isStored -> <> (isFinal || isHeld)) }
#endif
