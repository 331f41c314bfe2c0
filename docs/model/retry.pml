/*
 * The retry protocol of docs/decisions/0007 for one event, as lib/webhooks/{inbox,retry,sweep}.ts and the conditions in
 * lib/adapters/dynamodb make it: two deliveries, two workers, the scan, an operator, and time. The event may be a large
 * batch, whose elements a worker writes. A write of a store is one step. It may be refused, stay unanswered or be made
 * twice, and its process may die before or after it; messages get lost and come twice, a lease may run out at any time,
 * a handler may do its work, fail or kill its process. Several calls with the same content are in intake.pml. Left to
 * test/simulation: late writes, clocks that differ, several events.
 */
#ifndef MAX
#define MAX 1     /* attempts besides the first run */
#endif
#ifndef FAULTS
#define FAULTS 1  /* how many calls and messages go wrong */
#endif
#ifndef BATCHES
#define BATCHES 0 /* whether the event may be a batch */
#endif
#ifndef ORDERS
#define ORDERS 0  /* how often an operator orders a run */
#endif

mtype = { NONE, RECEIVED, PROCESSING, RETRY, FAILED, PROCESSED, DEAD }              /* statuses */
mtype = { MADE, THROTTLED, UNANSWERED, TWICE, DIES_BEFORE, DIES_AFTER }             /* how a call goes */
mtype = { WRITTEN, LOST, POSTPONE, EXHAUST, DROP }                                  /* what it answers */

mtype status = NONE
byte attempts, owner
bool leaseOver, due
bool hint[MAX + 2]           /* whether a message is on its way that saw so many runs */

bool isHandedOver            /* whether the intake leaves the handler to a worker */
bool isBatch, hasElements
byte faults, effects, runs, orders   /* no part of the protocol: what went wrong, and what was done */
bool isBusy                          /* nor this: a run goes on within its lease */

#define isRunning (status == PROCESSING || status == RETRY)
#define isFinal (status == PROCESSED || status == DEAD)
#define isDue (status == FAILED && due)
#define isAbandoned (isRunning && leaseOver)
#define runsSeen (status == RECEIVED -> 0 : attempts + 1)
#define isMine (isRunning && owner == me)
#define isFirst (n == 0 && status == RECEIVED)
#define isRetry (n > 0 && attempts == n - 1 && attempts < MAX && (isDue || isAbandoned))
#define isClaimable (isFirst || isRetry)

/* The guards: a variant is this file behind other definitions of them. */
#ifndef MAY_INSERT
#define MAY_INSERT (status == NONE)
#endif
#ifndef IS_OWN_PUT
#define IS_OWN_PUT hasStored
#endif
#ifndef MAY_CLAIM
#define MAY_CLAIM isClaimable
#endif
#ifndef BEFORE_CLAIM
#define BEFORE_CLAIM skip
#endif
#ifndef CHARGE_AT_CLAIM
#define CHARGE_AT_CLAIM attempts = (n == 0 -> 0 : n)
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
#ifndef MAY_EXHAUST
#define MAY_EXHAUST (attempts == n - 1 && (status == FAILED || isAbandoned))
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
#ifndef MAY_ORDER
#define MAY_ORDER (status == FAILED || status == DEAD)
#endif
#ifndef IS_SCANNED
#define IS_SCANNED (isDue || isAbandoned || status == RECEIVED)
#endif
#ifndef NOTE_SCAN
#define NOTE_SCAN skip
#endif

/* What is final stays so, and only what is PROCESSED had its effect, and then has its elements. */
inline moveTo(next) {
  assert(!isFinal);
  assert((next == PROCESSED) == (effects == 1));
  assert(next != PROCESSED || hasElements || !isBatch);
  status = next; due = false; leaseOver = false; isBusy = isRunning
}

inline applyEffect() { effects++; assert(effects == 1) }

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

inline send(saw) { if :: hint[saw] = true :: faults < FAULTS -> faults++ fi }

inline insert() {
  if
  :: MAY_INSERT ->
     if :: wanted == PROCESSED -> EFFECT_WITHIN :: else -> skip fi;
     moveTo(wanted); hasStored = true; answer = WRITTEN
  :: else -> answer = (IS_OWN_PUT -> WRITTEN : LOST)
  fi
}

inline claim() {
  if
  :: MAY_CLAIM ->
     assert(!isBusy);
     moveTo((n == 0 -> PROCESSING : RETRY)); CHARGE_AT_CLAIM; owner = me; answer = WRITTEN
  /* An earlier try of this claim was made. */
  :: else ->
     if
     :: isMine -> answer = WRITTEN
     :: !isMine && runsSeen == n && attempts >= MAX && (status == FAILED || isAbandoned) -> answer = EXHAUST
     :: !isMine && runsSeen == n && attempts < MAX && status == FAILED && !due -> answer = POSTPONE
     :: else -> answer = DROP
     fi
  fi
}

inline finish() {
  if
  :: MAY_FINISH -> assert(owner == me); EFFECT_WITHIN; moveTo(PROCESSED); answer = WRITTEN
  :: else -> answer = LOST
  fi
}

inline fail() {
  if
  :: MAY_FAIL ->
     assert(owner == me); CHARGE_AT_FAILURE;
     moveTo((attempts >= MAX -> DEAD : FAILED)); answer = WRITTEN
  :: else -> answer = (owner == me && status == FAILED -> WRITTEN : LOST)
  fi
}

/* The attempt is given back. */
inline release() {
  if
  :: MAY_RELEASE ->
     moveTo((n == 0 -> RECEIVED : FAILED));
     attempts = (n == 0 -> 0 : n - 1); due = (n > 0); runs = runs - hasRun
  :: else -> skip
  fi
}

inline exhaust() { if :: MAY_EXHAUST -> moveTo(DEAD) :: else -> skip fi }

proctype intake(byte me) {
  mtype how, wanted, answer
  bool hasStored
  if
  :: isHandedOver -> wanted = RECEIVED
  :: !isHandedOver -> wanted = PROCESSED
  :: !isHandedOver -> wanted = FAILED
  :: !isHandedOver -> goto died
  fi;
  if :: wanted == PROCESSED -> atomic { EFFECT_BEFORE } :: else -> skip fi;
  CALL(insert());
  if
  :: answer == WRITTEN && wanted != PROCESSED -> atomic { send((wanted == RECEIVED -> 0 : 1)) }
  /* Whoever stored an event that waits for a run wakes a worker up. */
  :: else -> assert(!hasStored || wanted == PROCESSED)
  fi;
outage:
died:
  atomic { how = MADE; wanted = NONE; answer = DROP; hasStored = false }
}

/* A run is counted as it ends: between its claim and its end anything may happen. */
inline charge() { runs++; hasRun = true; assert(runs <= MAX + isHandedOver + orders * MAX) }

proctype worker(byte me) {
  mtype how, answer
  byte n
  bool hasRun, isSpent     /* whether the attempt is used up, whatever comes */
end:
  do
  :: atomic {
       if :: hint[0] -> n = 0 :: hint[1] -> n = 1 :: hint[MAX] -> n = MAX :: hint[MAX + 1] -> n = MAX + 1 fi;
       if :: hint[n] = false :: faults < FAULTS -> faults++ fi;
       /* No two runs have the same owner. */
       if :: owner == me -> owner = 0 :: else -> skip fi;
       BEFORE_CLAIM;
       TRY(claim())
     };
     AGAIN(claim());
     if
     :: answer == WRITTEN ->
        WRITE_ELEMENTS;
        if
        :: atomic { charge(); EFFECT_BEFORE; TRY(finish()) }; AGAIN(finish())
        :: atomic { charge(); isSpent = true; TRY(fail()) }; AGAIN(fail());
           if :: answer == WRITTEN && n < MAX -> atomic { send(n + 1) } :: else -> skip fi
        /* The handler kills its process. */
        :: atomic { charge(); goto died }
        fi
     :: answer == EXHAUST -> isSpent = true; CALL(exhaust())
     :: answer == POSTPONE -> goto died
     :: answer == DROP -> skip
     fi;
     goto next;
outage:
     atomic {
       chooseFault();
       if :: !isSpent && isMade -> release() :: else -> skip fi
     };
died:
     /* The message comes again. */
     hint[n] = true;
next:
     atomic { n = 0; how = MADE; answer = DROP; hasRun = false; isSpent = false }
  od
}

proctype scan() {
end:
  do
  :: atomic { IS_SCANNED && !hint[runsSeen] -> send(runsSeen); NOTE_SCAN }
  od
}

/* Whatever has failed, for good or not, is due again with all its attempts. */
proctype operator() {
end:
  do
  :: atomic {
       orders < ORDERS && MAY_ORDER ->
       orders++; assert(effects == 0);
       status = FAILED; due = true; attempts = 0;
       send(1)
     }
  od
}

proctype time() {
end:
  do
  :: atomic { isRunning && !leaseOver -> leaseOver = true; isBusy = false }
  :: atomic { status == FAILED && !due -> due = true }
  od
}

init {
  atomic {
    if
    :: isHandedOver = true
    :: isHandedOver = false
    :: BATCHES -> isHandedOver = true; isBatch = true
    fi;
    run intake(1); run intake(2); run worker(1); run worker(2); run time();
    run scan();
    if :: ORDERS > 0 -> run operator() :: else -> skip fi
  }
}

#ifdef LIVENESS
ltl settled { [] (status != NONE -> <> isFinal) }
#endif
