import type { Variant } from './variants.ts'

/** `deliver.pml` without one of its guards each, by what goes wrong then. */
export const DELIVERY_VARIANTS: readonly Omit<Variant, 'model'>[] = [
  // A write ends the try of another worker.
  { name: 'a delivery ended by anyone', fails: 'safety', guards: { ACTS: 1, MAY_DELIVER: '(status == SENDING)' } },
  { name: 'a failed try ended by anyone', fails: 'safety', guards: { MAX: 2, MAY_FAIL: '(status == SENDING)' } },
  { name: 'a try given back by anyone', fails: 'safety', guards: { MAY_RELEASE: '(status == SENDING)' } },

  // It is sent more often than is charged.
  { name: 'a claim by a hint that saw fewer tries', fails: 'safety', guards: { MAX: 2, MAY_CLAIM: 'isFirst' } },
  {
    name: 'a claim of an expired lease by a hint that saw fewer tries',
    fails: 'safety',
    guards: { MAX: 2, MAY_CLAIM_AGAIN: 'isAgain' },
  },
  { name: 'a delivery ordered during a try', fails: 'safety', guards: { ACTS: 1, MAY_ORDER: '(status != NONE)' } },

  // Two tries go on at once, or one whose row is final.
  { name: 'a lease shorter than the timeout', fails: 'safety', guards: { MAX: 2, MAY_EXPIRE: 'true' } },
  {
    name: 'a removal that ends a try under way',
    fails: 'safety',
    guards: { REMOVALS: 1, IS_CLEARED: '(isMarked && !isFinal)' },
  },
  { name: 'deliveries given up whatever the status', fails: 'safety', guards: { MAY_EXHAUST: 'true' } },

  // The sender is told that all is stored, and a row is missing; or there is a row, or a hint, of what is not stored.
  {
    name: 'rows after their event',
    fails: 'safety',
    guards: {
      ROWS_WITHIN: 'skip',
      AFTER_INSERT: 'if :: answer == WRITTEN -> CALL(putRow(); hasSecond = true) :: else -> skip fi',
    },
  },
  {
    name: 'rows before their event',
    fails: 'safety',
    guards: { ROWS_WITHIN: 'skip', BEFORE_INSERT: 'CALL(putRow(); hasSecond = true)' },
  },
  {
    name: 'a transaction for each destination',
    fails: 'safety',
    guards: {
      ROWS_WITHIN: 'putRow()',
      AFTER_INSERT: 'if :: answer == WRITTEN -> CALL(hasSecond = true) :: else -> skip fi',
    },
  },
  { name: 'a hint before the commit', fails: 'safety', guards: { BEFORE_INSERT: 'send(hint[0])' } },

  // A try counts that the destination did not get, or got as a probe; or it is given up without any.
  { name: 'a try given back that stays charged', fails: 'safety', guards: { GIVE_BACK: 'skip' } },
  { name: 'a failed probe that is charged', fails: 'safety', guards: { MAX: 2, FAULTS: 0, END_PROBE: 'fail(false)' } },
  {
    name: 'deliveries dropped while DISABLED',
    fails: 'safety',
    guards: { PARK: 'if :: status == PENDING && attempts == n -> settle(DEAD) :: else -> skip fi' },
  },

  // A scan sends more than one hint, or probe, in its pause.
  { name: 'a scan that does not put the next one off', fails: 'safety', guards: { PUT_OFF: 'skip' } },
  { name: 'a probe that does not move the next one', fails: 'safety', guards: { MOVE_PROBE: 'skip' } },
  { name: 'two scans that read, then move the probe', fails: 'safety', guards: { SCANS: 2, MAY_CHANGE: 'true' } },

  // What an operator disabled is enabled by no operator.
  { name: 'a health that is read, then written', fails: 'safety', guards: { ACTS: 1, MAY_CHANGE: 'true' } },
  {
    name: 'a failure that opens what is DISABLED',
    fails: 'safety',
    guards: { ACTS: 1, MAY_OPEN: '(circuit != OPEN)' },
  },
  {
    name: 'a success that enables what is DISABLED',
    fails: 'safety',
    guards: { ACTS: 1, MAY_CLOSE: '(circuit != CLOSED)' },
  },

  // It waits for ever, after a hint was lost or dropped.
  { name: 'a row put without a time for the scan', fails: 'liveness', guards: { MARK_AT_PUT: 'false' } },
  { name: 'a claim that takes the row from the scan', fails: 'liveness', guards: { MARK_AT_CLAIM: 'false' } },
  {
    name: 'a failure that takes the row from the scan',
    fails: 'liveness',
    guards: { MAX: 2, FAULTS: 0, MARK_AT_FAILURE: 'false' },
  },
  { name: 'an order without a time for the scan', fails: 'liveness', guards: { ACTS: 1, MARK_AT_ORDER: 'false' } },
  { name: 'no scan of deliveries', fails: 'liveness', guards: { IS_SCANNED: 'false' } },
  {
    name: 'a scan that does not see tries whose lease is over',
    fails: 'liveness',
    guards: { IS_SCANNED: '(isMarked && !isPaused && isDue)' },
  },
  {
    name: 'a scan that puts the try off',
    fails: 'liveness',
    guards: { PUT_OFF: 'isPaused = true; if :: status == PENDING -> due = false :: else -> skip fi' },
  },
  { name: 'an open circuit without probes', fails: 'liveness', guards: { FAULTS: 0, IS_PROBED: 'false' } },
  {
    name: 'an enabling that forgets what waited',
    fails: 'liveness',
    guards: { FAULTS: 0, ACTS: 1, PARK: 'if :: status == PENDING -> isMarked = false :: else -> skip fi' },
  },
  {
    name: 'a removal that forgets rows',
    fails: 'liveness',
    guards: { FAULTS: 0, REMOVALS: 1, IS_CLEARED: 'false' },
  },
]
