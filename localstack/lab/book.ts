import type { SeenCall } from './call.ts'
import { FAULT_NAMES, type FaultName } from './faults.ts'

/** The clients that are remembered; for another one, the client that has been silent longest is forgotten. */
const MAXIMUM_CLIENTS = 50

/** The calls of a client below one fault that are remembered; later calls are only counted. */
export const MAXIMUM_CALLS = 100

/** What one client did below one fault. */
export interface FaultVisit {
  readonly calls: readonly SeenCall[]
  /** The number of calls after those. */
  readonly furtherCalls: number
}

/** What clients did, in memory. */
export interface Book {
  add(client: string, fault: FaultName, call: SeenCall): void
  read(client: string, fault: FaultName): FaultVisit
  forget(client: string): void
  /** The remembered clients, the one that called last first. */
  readonly clients: readonly string[]
}

type Visits = Record<FaultName, { readonly calls: SeenCall[]; furtherCalls: number }>

export function openBook(): Book {
  const clients = new Map<string, Visits>()

  function visitsOf(client: string): Visits {
    const visits = clients.get(client) ?? noVisits()
    clients.delete(client)
    clients.set(client, visits)
    if (clients.size > MAXIMUM_CLIENTS) clients.delete(clients.keys().next().value ?? client)
    return visits
  }

  return {
    add(client, fault, call) {
      const visit = visitsOf(client)[fault]
      if (visit.calls.length < MAXIMUM_CALLS) visit.calls.push(call)
      else visit.furtherCalls += 1
    },
    read: (client, fault) => (clients.get(client) ?? noVisits())[fault],
    forget: (client) => void clients.delete(client),
    get clients() {
      return [...clients.keys()].reverse()
    },
  }
}

function noVisits(): Visits {
  return Object.fromEntries(FAULT_NAMES.map((fault) => [fault, { calls: [], furtherCalls: 0 }])) as unknown as Visits
}
