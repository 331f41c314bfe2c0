import { DELIVERY_VARIANTS } from './delivery-variants.ts'

/** Whether nothing wrong ever happens, or whether what has to happen does in the end. */
export type Property = 'safety' | 'liveness'

/**
 * `retry.pml`, what becomes of one event, `intake.pml`, which calls become events, or `deliver.pml`, what becomes of an
 * event on its way to a destination.
 */
export type Model = 'retry' | 'intake' | 'deliver'

type Macros = Readonly<Record<string, string | number>>

/** The least at which every variant goes wrong. */
export const SMALLEST: Readonly<Record<Model, Macros>> = {
  retry: { MAX: 1, FAULTS: 1, BATCHES: 1 },
  intake: { FAULTS: 1 },
  deliver: { MAX: 1, FAULTS: 1 },
}

/** A model as it is, and how much may happen in it. */
interface Design {
  readonly model: Model
  readonly property: Property
  readonly macros: Macros
}

/** What is checked of the protocol as it is, in the order of the time that it takes. */
export const QUICK: readonly Design[] = [
  { model: 'intake', property: 'safety', macros: SMALLEST.intake },
  { model: 'retry', property: 'safety', macros: SMALLEST.retry },
  { model: 'deliver', property: 'safety', macros: SMALLEST.deliver },
]

export const DESIGN: typeof QUICK = [
  ...QUICK,
  { model: 'retry', property: 'safety', macros: { MAX: 2, FAULTS: 1 } },
  { model: 'intake', property: 'safety', macros: { FAULTS: 2 } },
  { model: 'retry', property: 'safety', macros: { MAX: 1, FAULTS: 2 } },
  { model: 'retry', property: 'safety', macros: { ...SMALLEST.retry, ORDERS: 1 } },
  { model: 'retry', property: 'liveness', macros: SMALLEST.retry },
  { model: 'retry', property: 'liveness', macros: { MAX: 1, FAULTS: 1, ORDERS: 1 } },
  { model: 'retry', property: 'liveness', macros: { MAX: 2, FAULTS: 1 } },
  { model: 'deliver', property: 'safety', macros: { ...SMALLEST.deliver, REMOVALS: 1 } },
  { model: 'deliver', property: 'safety', macros: { ...SMALLEST.deliver, SCANS: 2 } },
  { model: 'deliver', property: 'safety', macros: { MAX: 1, FAULTS: 2 } },
  { model: 'deliver', property: 'safety', macros: { MAX: 2, FAULTS: 1 } },
  { model: 'deliver', property: 'safety', macros: { ...SMALLEST.deliver, ACTS: 1 } },
  { model: 'deliver', property: 'liveness', macros: SMALLEST.deliver },
  { model: 'deliver', property: 'liveness', macros: { MAX: 2, FAULTS: 0 } },
  { model: 'deliver', property: 'liveness', macros: { MAX: 1, FAULTS: 0, ACTS: 1, REMOVALS: 1 } },
]

/** A model with other guards in place of its own. */
export interface Variant {
  readonly name: string
  readonly model: Model
  /** In which property it has to fail. */
  readonly fails: Property
  /** Macros of the model, and what else it takes to go wrong. */
  readonly guards: Macros
}

const RETRY: readonly Omit<Variant, 'model'>[] = [
  { name: 'a put over what is there', fails: 'safety', guards: { MAY_INSERT: 'true' } },
  { name: 'a put without a token of its own', fails: 'safety', guards: { IS_OWN_PUT: 'false' } },
  {
    name: 'a claim that checks, then acts',
    fails: 'safety',
    guards: {
      BEFORE_CLAIM: 'if :: isClaimable -> skip :: else -> goto next fi }; atomic { skip',
      MAY_CLAIM: 'true',
    },
  },
  { name: 'a finish by anyone', fails: 'safety', guards: { MAY_FINISH: 'isRunning' } },
  { name: 'FAILED written by anyone', fails: 'safety', guards: { MAY_FAIL: 'true' } },
  {
    name: 'FAILED written by the owner, whatever the status',
    fails: 'safety',
    guards: { MAY_FAIL: '(owner == me)', MAY_RELEASE: '(owner == me)' },
  },
  { name: 'FAILED for good, whatever the status', fails: 'safety', guards: { MAY_EXHAUST: 'true' } },
  {
    name: 'attempts charged at the failure',
    fails: 'safety',
    guards: { CHARGE_AT_CLAIM: 'skip', CHARGE_AT_FAILURE: 'attempts++' },
  },
  {
    name: 'an effect outside the transaction',
    fails: 'safety',
    guards: { EFFECT_BEFORE: 'TRY(applyEffect()) }; atomic { skip', EFFECT_WITHIN: 'skip' },
  },
  { name: 'PROCESSED before its elements', fails: 'safety', guards: { WRITE_ELEMENTS: 'skip' } },
  {
    name: 'an order for what is PROCESSED',
    fails: 'safety',
    guards: { ORDERS: 1, MAY_ORDER: '(status == FAILED || isFinal)' },
  },
  {
    name: 'an order during a run',
    fails: 'safety',
    guards: { ORDERS: 1, MAY_ORDER: '(status == FAILED || status == DEAD || isRunning)' },
  },
  { name: 'no scan', fails: 'liveness', guards: { IS_SCANNED: 'false' } },
  { name: 'a scan that does not see RECEIVED', fails: 'liveness', guards: { IS_SCANNED: '(isDue || isAbandoned)' } },
  {
    name: 'a scan that does not see runs whose lease is over',
    fails: 'liveness',
    guards: { IS_SCANNED: '(isDue || status == RECEIVED)' },
  },
  {
    name: 'one field for the due time and the scan',
    fails: 'liveness',
    guards: { NOTE_SCAN: 'if :: status == FAILED -> due = false :: else -> skip fi' },
  },
]

const INTAKE: readonly Omit<Variant, 'model' | 'fails'>[] = [
  { name: 'an event put over another', guards: { MAY_PUT_EVENT: 'true' } },
  { name: 'a content put without a condition', guards: { MAY_PUT_CONTENT: 'true' } },
  { name: 'a content put whoever had it last', guards: { MAY_PUT_CONTENT: '(last == 0 || seen != 0)' } },
  {
    name: 'a content in a write of its own',
    guards: { CONTENT_WITHIN: 'skip', CONTENT_AFTER: 'CALL(last = key)' },
  },
  {
    name: 'news whose contents are not kept',
    guards: { COMPARES: '(rule != NEWS && rule != SAME_ID && (rule != WINDOW || key != 1))' },
  },
  { name: 'a window that never ends', guards: { IS_OVER: 'false' } },
  { name: 'a window that is over at once', guards: { IS_OVER: 'true' } },
  { name: 'another content under an unsigned id taken for a copy', guards: { IS_OTHER: 'false' } },
  { name: 'a late call taken although it says nothing new', guards: { IS_ONE_EVENT: '(rule == DROPPED)' } },
  { name: 'the same content under another id taken for another event', guards: { IS_ONE_EVENT: 'isLate' } },
]

export const VARIANTS: readonly Variant[] = [
  ...RETRY.map((variant) => ({ model: 'retry', ...variant }) as const),
  ...DELIVERY_VARIANTS.map((variant) => ({ model: 'deliver', ...variant }) as const),
  ...INTAKE.map((variant) => ({ model: 'intake', fails: 'safety', ...variant }) as const),
]
