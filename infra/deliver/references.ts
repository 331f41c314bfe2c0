/** What a reference names: a resource or a parameter, and with a dot behind it one of its attributes. */
type Path = string

type Change = (path: Path) => Path

/** The functions of CloudFormation that refer to something: how each is written with other paths. */
const REFERRING: Readonly<Record<string, (argument: unknown, change: Change) => object>> = {
  Ref: (name, change) => referenceTo(change(String(name))),
  'Fn::GetAtt': (path, change) => referenceTo(change(Array.isArray(path) ? path.join('.') : String(path))),
  'Fn::Sub': (argument, change) => {
    const [text, given] = [argument].flat() as [string, object?]
    const changed = text.replace(/\$\{([\w.:]+)\}/g, (whole, path: Path) =>
      given && Object.hasOwn(given, path) ? whole : `\${${change(path)}}`,
    )
    return { 'Fn::Sub': given ? [changed, withReferences(given, change)] : changed }
  },
}

/** The same value, whose references name what `change` makes of their paths. */
export function withReferences<T>(value: T, change: Change): T {
  if (Array.isArray(value)) return value.map((item) => withReferences(item, change)) as T
  if (typeof value !== 'object' || value === null) return value
  const [[key = '', argument] = [], ...others] = Object.entries(value)
  const refer = others.length === 0 && Object.hasOwn(REFERRING, key) ? REFERRING[key] : undefined
  if (refer) return refer(argument, change) as T
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withReferences(part, change)])) as T
}

/** The shortest form of a reference. */
export function referenceTo(path: Path): object {
  const [name = '', ...attribute] = path.split('.')
  return attribute.length === 0 ? { Ref: name } : { 'Fn::GetAtt': [name, attribute.join('.')] }
}
