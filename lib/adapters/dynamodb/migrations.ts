import type { Item } from './conditional.ts'

/** How rows of one kind come from one version to the next. docs/data.md says when it may run. */
export interface Migration {
  /** As in `gatehouse-<stage>-<table>`. */
  readonly table: 'events' | 'payments' | 'orders' | 'replays' | 'deliveries' | 'users' | 'keys'
  /** The names of the table's key. */
  readonly key: readonly string[]
  /** It makes the next version of it. */
  readonly from: number
  /** Whether it is about a row: a table holds rows of several kinds. */
  readonly isFor: (row: Item) => boolean
  /** The attributes that `change` is shown; a row whose attributes were changed meanwhile is read again. */
  readonly reads: readonly string[]
  /** What the attributes become; undefined removes one. No attribute of a key or of an index may be among them. */
  readonly change: (read: Item) => Item
}

/** There is none yet: every row is of version 1. */
export const MIGRATIONS: readonly Migration[] = []

/** The migration that a row needs next; undefined for one of the newest version of its kind. */
export function stepOf(migrations: readonly Migration[], row: Item): Migration | undefined {
  return migrations.find(({ from, isFor }) => from === itemVersion(row) && isFor(row))
}

/** A row without the attribute `v` is of version 1. */
export function itemVersion({ v = 1 }: Item): number {
  return Number(v)
}

/** The newest version that this release knows of the rows of some migrations. */
export function newestOf(migrations: readonly Migration[]): number {
  return Math.max(1, ...migrations.map(({ from }) => from + 1))
}
