import { shownProof } from '../webhooks/detail.ts'
import type { StoredEvent } from '../webhooks/event.ts'
import { attempt, parseJson } from '../webhooks/json.ts'
import { GATEHOUSE } from '../webhooks/source.ts'
import { type Destination, leaseOf } from './destination.ts'
import { unmetIn } from './where.ts'

type Choosing = Pick<Destination, 'from' | 'where' | 'repeats'>

type Chosen = Pick<StoredEvent, 'source' | 'eventType' | 'proof' | 'headers' | 'payload'>

type Marked = Chosen & Pick<StoredEvent, 'possibleDuplicateOf' | 'typeConflict' | 'held'>

/** The destinations that a new event goes to, each once: for what looks like another one, they may decide themselves. */
function newDestinationsFor<D extends Choosing>(destinations: readonly D[], event: Marked): readonly D[] {
  const { possibleDuplicateOf, typeConflict, held } = event
  const isRepeated = possibleDuplicateOf !== undefined && !typeConflict
  const usual = held ? 'hold' : 'deliver'
  const isFor = ({ repeats = usual }: Choosing) => (isRepeated ? repeats : usual) === 'deliver'
  return destinationsFor(destinations.filter(isFor), event)
}

/** The rows of the deliveries of a new event, which are due at once. */
export function rowsFor(destinations: readonly Destination[], event: Marked & Pick<StoredEvent, 'receivedAt'>) {
  return newDestinationsFor(destinations, event).map((destination) => ({
    destination: destination.name,
    sweepAt: new Date(event.receivedAt.getTime() + leaseOf(destination)),
  }))
}

/** The destinations whose events an event is one of, each once. */
export function destinationsFor<D extends Choosing>(destinations: readonly D[], event: Chosen): readonly D[] {
  const unmet = unmetBy(event)
  return destinations.filter((one) => unmet(one).length === 0)
}

/** For a destination, its fields that an event does not match, such as `from` and `where.json.amount`; none if it gets it. */
export function unmetBy({ source, eventType: type, proof, headers, payload }: Chosen) {
  const isPlain = payload !== undefined && headers['content-encoding'] === undefined
  let read: ReturnType<typeof attempt> | undefined
  const event = {
    ...{ type, source, headers, proof: shownProof(proof) },
    /** Parsed for a pattern that asks for it. */
    get json() {
      read ??= isPlain ? attempt(() => parseJson(payload)) : {}
      return read.payload
    },
  }
  return ({ from, where }: Choosing): readonly string[] => {
    const globs = [source, ...(source === GATEHOUSE ? [] : ['*'])].flatMap((name) => from.get(name) ?? [])
    if (!globs.some((glob) => matchesGlob(glob, type))) return ['from']
    return where ? unmetIn(where, event).map((member) => `where.${member}`) : []
  }
}

/** The text between two separators, with the separator before it; the first has none. */
interface Segment {
  readonly separator: string
  readonly text: string
}

/**
 * Whether a type of events is one that a glob means: `*` is one segment between dots or slashes, `**` any number of them,
 * also none. Takes time in proportion to the product of both lengths.
 */
export function matchesGlob(glob: string, type: string): boolean {
  const segments = segmentsOf(type)
  /** For each number of segments from the front: whether the parts of the glob so far mean just them. */
  let met: readonly boolean[] = [true, ...segments.map(() => false)]
  for (const part of segmentsOf(glob)) met = metWith(part, segments, met)
  return met.at(-1) === true
}

function metWith(part: Segment, segments: readonly Segment[], before: readonly boolean[]): readonly boolean[] {
  const isMany = part.text === '**'
  let isInside = false
  const after = segments.map((segment, index) => {
    const begins = before[index] === true && ['', part.separator].includes(segment.separator)
    isInside ||= begins
    if (isMany) return isInside || before[index + 1] === true
    return begins && (part.text === '*' || part.text === segment.text)
  })
  return [isMany && before[0] === true, ...after]
}

/** Whether a text is a glob: a star is a whole segment, and no segment is empty. */
export function isGlob(text: string): boolean {
  return segmentsOf(text).every((part) => part.text !== '' && (/^\*{1,2}$/.test(part.text) || !part.text.includes('*')))
}

function segmentsOf(text: string): readonly Segment[] {
  const parts = text.split(/([./])/)
  return parts.flatMap((part, index) => (index % 2 === 0 ? [{ separator: parts[index - 1] ?? '', text: part }] : []))
}
