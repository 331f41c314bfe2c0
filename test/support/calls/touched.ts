/** A write of one row, as DynamoDB takes it. */
export interface RowWrite {
  readonly Key?: Readonly<Record<string, unknown>>
  readonly Item?: Readonly<Record<string, unknown>>
  readonly UpdateExpression?: string
  readonly ConditionExpression?: string
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>
  readonly ReturnValues?: string
}

const WRITES: readonly string[] = ['PutItem', 'UpdateItem']

/** What expressions hold besides attributes (DynamoDB developer guide, "Update expressions", "Condition expressions"). */
const WORDS = /^(?:SET|REMOVE|ADD|DELETE|AND|OR|NOT|BETWEEN|IN)$/i
const FUNCTIONS =
  /^(?:attribute_exists|attribute_not_exists|attribute_type|begins_with|contains|size|if_not_exists|list_append)$/

/** A path begins with its attribute; `:value` is none. */
const PATH = /(?<![\w:#.[\]])([#A-Za-z_]\w*)[\w.#[\]]*/g

/**
 * The attributes that a put or an update names, sets or compares, sorted, with `*` if it is given back the whole row;
 * undefined for other actions.
 */
export function touchedBy(action: string, write: RowWrite): readonly string[] | undefined {
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
