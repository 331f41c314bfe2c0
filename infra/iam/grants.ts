import { abouts } from '../../lib/endpoints/abouts.ts'
import { type Grants, LIST_EVENTS, READ, RUN } from '../../lib/endpoints/grants.ts'

/** The rights of the functions that are not endpoints. */
const JOBS: Readonly<Record<string, readonly Grants[]>> = {
  retryEvent: [...RUN, { RetryQueue: READ }],
  retryScan: [
    {
      EventsTable: ['UpdateItem'],
      'EventsTable/index/due': ['Query'],
      'ReplaysTable/index/waiting': ['Query'],
      RetryQueue: ['SendMessage'],
      ReplayQueue: ['SendMessage'],
    },
  ],
  replayStep: [
    ...RUN,
    LIST_EVENTS,
    { ReplaysTable: ['UpdateItem'], ReplayQueue: ['SendMessage'] },
    { ReplayQueue: READ },
  ],
  fallback: [],
}

/** The rights of each function besides writing its own log and traces: exactly those that its code uses on AWS. */
export const GRANTS: Readonly<Record<string, readonly Grants[]>> = {
  ...Object.fromEntries(Object.entries(abouts()).map(([name, { grants }]) => [name, grants])),
  ...JOBS,
}
