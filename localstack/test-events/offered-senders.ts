import type { LocalSender } from '../../lib/contract/console.ts'
import { canSignAs, type Keyring } from '../senders/credentials.ts'
import { SENDERS } from '../senders/table.ts'

/** The senders that a run can sign as, by name. */
export function offeredSenders(run: Keyring): readonly LocalSender[] {
  return Object.entries(SENDERS)
    .filter(([name]) => canSignAs(name, run))
    .map(([name, { events, transaction }]) => ({ name, events, failing: transaction?.events ?? [] }))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
}
