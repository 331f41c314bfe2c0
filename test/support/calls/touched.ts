/** A write of one row, as DynamoDB takes it. */
export interface RowWrite {
  readonly Key?: Readonly<Record<string, unknown>>
  readonly Item?: Readonly<Record<string, unknown>>
  readonly UpdateExpression?: string
  readonly ConditionExpression?: string
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>
  readonly ReturnValues?: string
  readonly ProjectionExpression?: string
}

/** One of the writes of a batch. */
export interface BatchWrite {
  readonly PutRequest?: { readonly Item: Readonly<Record<string, unknown>> }
  readonly DeleteRequest?: { readonly Key: Readonly<Record<string, unknown>> }
}

const WRITES: readonly string[] = ['PutItem', 'UpdateItem']
const READS: readonly string[] = ['BatchGetItem', 'GetItem']

/** What expressions hold besides attributes (DynamoDB developer guide, "Update expressions", "Condition expressions"). */
const WORDS = /^(?:SET|REMOVE|ADD|DELETE|AND|OR|NOT|BETWEEN|IN)$/i
const FUNCTIONS =
  /^(?:attribute_exists|attribute_not_exists|attribute_type|begins_with|contains|size|if_not_exists|list_append)$/

/** A path begins with its attribute; `:value` is none. */
const PATH = /(?<![\w:#.[\]])([#A-Za-z_]\w*)[\w.#[\]]*/g

/**
 * The attributes that a put or an update names, sets or compares, or that a read asks for, sorted, with `*` if it is given the
 * whole row; undefined for other actions.
 */
export function touchedBy(action: string, write: RowWrite | readonly BatchWrite[]): readonly string[] | undefined {
  if (isBatch(write)) {
    const rows = write.map(({ PutRequest: put, DeleteRequest: removal }) => put?.Item ?? removal?.Key ?? {})
    return [...new Set(rows.flatMap((row) => Object.keys(row)))].sort()
  }
  if (READS.includes(action)) {
    const { ProjectionExpression: asked = '*', ExpressionAttributeNames: names } = write
    return asked.split(', ').map((word) => names?.[word] ?? word)
  }
  if (!WRITES.includes(action)) return undefined
  const { Key = {}, Item = {}, ExpressionAttributeNames: names, ReturnValues = 'NONE' } = write
  const expressions = `${write.UpdateExpression ?? ''} ${write.ConditionExpression ?? ''}`
  const paths = [...expressions.matchAll(PATH)].map(([, first = '']) => first)
  const whole = ReturnValues.startsWith('ALL') ? ['*'] : []
  const attributes = paths
    .filter((word) => !WORDS.test(word) && !FUNCTIONS.test(word))
    .map((word) => names?.[word] ?? word)
  return [...new Set([...Object.keys(Key), ...Object.keys(Item), ...attributes, ...whole])].sort()
}

const isBatch = (write: RowWrite | readonly BatchWrite[]): write is readonly BatchWrite[] => Array.isArray(write)
