import type { EventChange } from './change.ts'

/** One value, or any of several; what is absent does not matter. */
type Wanted = string | readonly string[] | undefined

/** What a watcher asks for. */
interface Wish {
  readonly source?: Wanted
  readonly type?: Wanted
  readonly status?: Wanted
}

export function isWanted(change: EventChange, { source, type, status }: Wish): boolean {
  return allows(source, change.source) && allows(type, change.eventType) && allows(status, change.status)
}

function allows(wanted: Wanted, value: string): boolean {
  return wanted === undefined || [wanted].flat().includes(value)
}
