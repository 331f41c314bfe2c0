import type { EventChange } from './change-feed.ts'

/** What a watcher asks for; what is absent does not matter. */
interface Wish {
  readonly source?: string | undefined
  readonly type?: string | undefined
  readonly status?: readonly string[] | undefined
}

export function isWanted(change: EventChange, { source, type, status }: Wish): boolean {
  return (
    (source ?? change.source) === change.source &&
    (type ?? change.eventType) === change.eventType &&
    (status?.includes(change.status) ?? true)
  )
}
