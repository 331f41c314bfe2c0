import type { WebhookEvent } from '../webhooks/event.ts'
import type { Destination } from './destination.ts'

type Choosing = Pick<Destination, 'from' | 'repeats'>

type Marked = Pick<WebhookEvent, 'source' | 'eventType' | 'possibleDuplicateOf' | 'typeConflict' | 'held'>

/** The destinations that a new event goes to, each once: for what looks like another one, they may decide themselves. */
export function newDestinationsFor<D extends Choosing>(destinations: readonly D[], event: Marked): readonly D[] {
  const { possibleDuplicateOf, typeConflict, held } = event
  const isRepeated = possibleDuplicateOf !== undefined && !typeConflict
  const usual = held ? 'hold' : 'deliver'
  const isFor = ({ repeats = usual }: Choosing) => (isRepeated ? repeats : usual) === 'deliver'
  return destinationsFor(destinations.filter(isFor), event)
}

/** The destinations whose events an event is one of, each once. */
export function destinationsFor<D extends Choosing>(
  destinations: readonly D[],
  { source, eventType }: Pick<WebhookEvent, 'source' | 'eventType'>,
): readonly D[] {
  const wants = ({ from }: Choosing) =>
    [source, '*'].some((name) => from.get(name)?.some((glob) => matchesGlob(glob, eventType)))
  return destinations.filter(wants)
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
