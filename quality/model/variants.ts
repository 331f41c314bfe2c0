/** Whether nothing wrong ever happens, or whether what has to happen does in the end. */
export type Property = 'safety' | 'liveness'

/** How much may happen. */
interface Bounds {
  readonly MAX: number
  readonly FAULTS: number
}

/** The least at which every variant goes wrong. */
export const SMALLEST: Bounds = { MAX: 1, FAULTS: 1 }

/** What is checked of the protocol as it is, in the order of the time that it takes. */
export const QUICK: readonly (Bounds & { readonly property: Property })[] = [{ property: 'safety', ...SMALLEST }]

export const DESIGN: typeof QUICK = [
  ...QUICK,
  { property: 'liveness', ...SMALLEST },
  { property: 'safety', MAX: 2, FAULTS: 1 },
  { property: 'safety', MAX: 1, FAULTS: 2 },
  { property: 'liveness', MAX: 2, FAULTS: 1 },
]

/** The model with other guards in place of its own. */
export interface Variant {
  readonly name: string
  /** In which property it has to fail. */
  readonly fails: Property
  /** Macros of retry.pml. */
  readonly guards: Readonly<Record<string, string>>
}

export const VARIANTS: readonly Variant[] = [
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
