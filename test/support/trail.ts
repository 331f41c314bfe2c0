import { randomUUID } from 'node:crypto'
import type { Act, Deed, TrailRow } from '../../lib/trail/act.ts'
import { START } from './fakes/clock.ts'

export const DEED: Deed = {
  action: 'user.changed',
  actor: { uid: 'id-1', name: 'Ada', authType: 'JWT' },
  target: { type: 'user', id: 'id-2', name: 'Bob' },
  change: { enabled: false },
  from: '192.0.2.1',
  requestId: 'r-1',
}

/** A row of the audit trail, with an id of its own. */
export function trailRow(changes: Partial<TrailRow> = {}): TrailRow {
  const id = randomUUID()
  return { ...DEED, id, at: START, endsAt: new Date('2100-01-01T00:00:00.000Z'), outcome: 'done', ...changes }
}

/** An action under way, whose row a change takes along into that table. */
export function newAct(table: string, changes: Partial<TrailRow> = {}): Act {
  return { table, row: trailRow(changes), isStored: false }
}
