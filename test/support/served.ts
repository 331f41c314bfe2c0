import { inject, type ProvidedContext } from 'vitest'

/** What the helpers have to know of the running service. */
export type Served = Pick<ProvidedContext, 'http' | 'ready' | 'jwtSecret'> &
  Partial<Pick<ProvidedContext, 'secondSecret'>>

let own: Served | undefined

/** Turns the helpers to a service that the tests of this file started themselves; undefined turns them back. */
export function serve(service: Served | undefined): void {
  own = service
}

/** A fact of that service, else of the one that the project started for all its tests. */
export function served<N extends keyof Served>(name: N): Served[N] {
  return own === undefined ? inject(name) : own[name]
}
