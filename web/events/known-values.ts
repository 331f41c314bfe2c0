import { computed, signal } from '@preact/signals'
import { ask, type Response } from '../ask.ts'
import { CallRefused } from '../problem.ts'
import { counts } from './counts.ts'
import { place } from './navigation.ts'
import { list } from './reading.ts'
import { type KnownValues, STATUS_TERMS } from './search-terms.ts'

const named = signal<readonly string[]>([])

/** What the search completes: all sources that the service knows, and the types of the events that are shown. */
export const knownValues = computed<KnownValues>(() => {
  const { source, type } = place.value.filter
  const seen = Object.keys(counts.value?.totals.source ?? {})
  const types = list.value?.events.map(({ eventType }) => eventType) ?? []
  return {
    source: sorted([...named.value, ...seen, ...source]),
    type: sorted([...types, ...type]),
    status: STATUS_TERMS,
  }
})

function sorted(values: readonly string[]): readonly string[] {
  return [...new Set(values)].sort()
}

/** Asks for the names of all sources; without an answer those that were seen are known. */
export async function findSources(): Promise<void> {
  try {
    const { sources } = await ask<Response<'webhookSources'>>('/api/webhooks/sources')
    named.value = sources.map(({ source }) => source)
  } catch (error) {
    if (!(error instanceof CallRefused)) throw error
  }
}
