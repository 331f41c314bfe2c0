import { jsonIn } from './emf.ts'

/** A line of a log group. */
export interface LogLine {
  readonly group: string
  readonly stream: string
  readonly at: number
  readonly message: string
}

type Row = Readonly<Record<string, unknown>>
type Test = (row: Row) => boolean
type Command = (argument: string) => (rows: readonly Row[]) => readonly Row[]

/**
 * The rows that a query of CloudWatch Logs Insights finds, as far as docs/runbook.md uses its language.
 * @throws Error for what is not known here
 */
export function queried(query: string, lines: readonly LogLine[]): readonly Row[] {
  const commands = query.trim().split(/\s*\n?\s*\|\s*/)
  return commands.reduce<readonly Row[]>((rows, command) => {
    const [, name = '', argument = ''] = /^(\w+)\s+(.*)$/s.exec(command) ?? []
    const run = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
    return run ? run(argument)(rows) : unknown(command)
  }, lines.map(rowOf))
}

function rowOf({ group, stream, at, message }: LogLine): Row {
  // Of a line of Lambda, what is found is its first JSON.
  const content = jsonIn(message.slice(Math.max(0, message.indexOf('{'))))
  const own = { '@log': `000000000000:${group}`, '@logStream': stream, '@timestamp': at, '@message': message }
  return { ...flat(content ?? {}), ...own }
}

/** `{ a: { b: 1 } }` becomes `{ 'a.b': 1 }`, as Insights names what it finds in JSON. */
function flat(value: object, prefix = ''): Row {
  const entries = Object.entries(value).flatMap(([name, member]) =>
    typeof member === 'object' && member !== null
      ? Object.entries(flat(member, `${prefix}${name}.`))
      : [[`${prefix}${name}`, member]],
  )
  return Object.fromEntries(entries)
}

const COMMANDS: Readonly<Record<string, Command>> = {
  filter: (argument) => {
    const test = parsedTest(argument)
    return (rows) => rows.filter(test)
  },
  fields: (argument) => {
    const names = listed(argument)
    return (rows) => rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name]])))
  },
  parse: (argument) => {
    const [, field = '', pattern] = /^(\S+) \/(.+)\/$/.exec(argument) ?? []
    const groups = new RegExp(pattern ?? unknown(`parse ${argument}`))
    return (rows) => rows.map((row) => ({ ...row, ...groups.exec(String(row[field]))?.groups }))
  },
  stats: statistics,
  sort: (argument) => {
    const [, name = '', order] = /^(.+?)(?: (asc|desc))?$/.exec(argument) ?? []
    const sign = order === 'desc' ? -1 : 1
    return (rows) => rows.toSorted((one, other) => sign * compared(one[name], other[name]))
  },
  limit: (argument) => (rows) => rows.slice(0, Number(argument)),
}

function compared(one: unknown, other: unknown): number {
  const numbers = [Number(one), Number(other)] as const
  if (numbers.every(Number.isFinite)) return numbers[0] - numbers[1]
  return String(one) < String(other) ? -1 : 1
}

const AGGREGATES: Readonly<Record<string, (rows: readonly Row[], field: string, more?: string) => unknown>> = {
  count: (rows) => rows.length,
  max: (rows, field) => Math.max(...numbersIn(rows, field)),
  latest: (rows, field) =>
    rows.toSorted((one, other) => compared(one['@timestamp'], other['@timestamp'])).at(-1)?.[field],
  pct: (rows, field, percent) => {
    const sorted = numbersIn(rows, field).toSorted((one, other) => one - other)
    return sorted[Math.ceil((sorted.length * Number(percent)) / 100) - 1]
  },
}

function numbersIn(rows: readonly Row[], field: string): readonly number[] {
  return rows.flatMap((row) => (row[field] === undefined ? [] : [Number(row[field])]))
}

/** `count() as calls, max(step) by field, bin(1m)` */
function statistics(argument: string): (rows: readonly Row[]) => readonly Row[] {
  const [what = '', by = ''] = argument.split(/\s+by\s+/)
  const keys = by === '' ? [] : listed(by)
  const columns = listed(what).map((text) => {
    const [, call = '', name = '', given = '', alias = call] = /^((\w+)\((.*?)\))(?: as (\w+))?$/.exec(text) ?? []
    const compute = AGGREGATES[name] ?? unknown(text)
    const [field = '', more] = listed(given)
    return (rows: readonly Row[]) => [alias, compute(rows, field, more)] as const
  })
  return (rows) => {
    const keyed = (row: Row) => keys.map((key) => [key, binned(key, row)] as const)
    const groups = Map.groupBy(rows, (row) => JSON.stringify(keyed(row)))
    return [...groups].map(([key, group]) =>
      Object.fromEntries([...JSON.parse(key), ...columns.map((column) => column(group))]),
    )
  }
}

function binned(key: string, row: Row): unknown {
  const [, minutes] = /^bin\((\d+)m\)$/.exec(key) ?? []
  if (minutes === undefined) return row[key] ?? null
  const size = Number(minutes) * 60_000
  return Math.floor(Number(row['@timestamp']) / size) * size
}

/** By commas outside of parentheses. */
function listed(text: string): readonly string[] {
  return text.split(/,(?![^(]*\))/).map((part) => part.trim())
}

const LEXEME = /\s*('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[()[\],]|>=|<=|[=<>]|[\w.@-]+)/y

/** Comparisons with `and` and `or`, in groups of parentheses. */
function parsedTest(text: string): Test {
  const rest = lexemesIn(text)

  function any(): Test {
    const tests = [all()]
    while (taken('or')) tests.push(all())
    return (row) => tests.some((test) => test(row))
  }

  function all(): Test {
    const tests = [one()]
    while (taken('and')) tests.push(one())
    return (row) => tests.every((test) => test(row))
  }

  function taken(lexeme: string): boolean {
    if (rest[0] !== lexeme) return false
    rest.shift()
    return true
  }

  function one(): Test {
    if (taken('not')) {
      const excluded = one()
      return (row) => !excluded(row)
    }
    if (taken('ispresent')) {
      const [, field = ''] = rest.splice(0, 3)
      return (row) => row[field] !== undefined
    }
    if (!taken('(')) return comparison(rest.shift() ?? '', rest.shift() ?? '')
    const group = any()
    if (!taken(')')) unknown(text)
    return group
  }

  function comparison(field: string, operator: string): Test {
    if (operator === 'in') {
      const values = listOfValues()
      return (row) => values.some((value) => isSame(row[field], value))
    }
    const value = textOf(rest.shift() ?? '')
    const compare = OPERATORS[operator] ?? unknown(`${field} ${operator}`)
    return (row) => row[field] !== undefined && compare(row[field], value)
  }

  function listOfValues(): readonly string[] {
    const end = rest.indexOf(']')
    const [, ...inner] = rest.splice(0, end + 1)
    return inner.filter((lexeme) => ![',', ']'].includes(lexeme)).map(textOf)
  }

  const test = any()
  return rest.length > 0 ? unknown(text) : test
}

function lexemesIn(text: string): string[] {
  const found: string[] = []
  LEXEME.lastIndex = 0
  while (LEXEME.lastIndex < text.trimEnd().length) found.push(LEXEME.exec(text)?.[1] ?? unknown(text))
  return found
}

const OPERATORS: Readonly<Record<string, (one: unknown, other: string) => boolean>> = {
  like: (one, other) => String(one).includes(other),
  '=': isSame,
  '>=': (one, other) => compared(one, other) >= 0,
}

function isSame(one: unknown, other: string): boolean {
  return String(one) === other
}

function textOf(lexeme: string): string {
  return /^['"]/.test(lexeme) ? lexeme.slice(1, -1).replaceAll(/\\(.)/g, '$1') : lexeme
}

function unknown(text: string): never {
  throw new Error(`not known here: ${text}`)
}
