import { parseAst } from 'vitest/node'

/** A node of a program in ESTree; the kinds differ too much to be typed separately here. */
interface Node {
  readonly type: string
  readonly [property: string]: unknown
}

const TESTS: readonly string[] = ['it', 'test']
const SUITES_AND_TESTS = ['describe', ...TESTS]

/** Modifiers that keep a test from running. */
const IDLE: readonly string[] = ['skip', 'todo']

/**
 * The titles of the suites and tests in a file, with their rows: each row that fills a `%s` or begins with a text makes
 * one title. Comments and tests that never run have none.
 * @param lang of the code: a generic arrow function of TypeScript is invalid in TSX
 */
export function testTitles(code: string, lang: 'ts' | 'tsx'): readonly string[] {
  const nodes = nodesOf(parseAst(code, { lang }) as unknown as Node)
  const constants = new Map(nodes.flatMap(constantOf))
  return nodes.filter(isCall).flatMap((call) => titlesOf(call, constants))
}

type Constants = ReadonlyMap<string, Node>

function titlesOf({ callee, arguments: given }: Node, constants: Constants): readonly string[] {
  const { root, names, table } = calleeOf(callee as Node)
  const title = textOf((given as readonly Node[])[0])
  if (title === undefined || !SUITES_AND_TESTS.includes(root) || names.some((name) => IDLE.includes(name))) return []
  const rows = title.startsWith('%s') ? rowsOf(table, constants) : []
  return [title, ...rows.map((row) => title.replace('%s', () => row))]
}

interface Callee {
  readonly root: string
  readonly names: readonly string[]
  /** The argument of `each` or `for`. */
  readonly table?: Node | undefined
}

/** The parts of `describe.concurrent.each(table)`, `it.skipIf(condition)` and the like. */
function calleeOf({ type, ...parts }: Node): Callee {
  if (type === 'Identifier') return { root: String(parts['name']), names: [] }
  if (type === 'MemberExpression') {
    const { root, names, table } = calleeOf(parts['object'] as Node)
    return { root, names: [...names, String((parts['property'] as Node)['name'])], table }
  }
  if (type !== 'CallExpression') return { root: '', names: [] }
  return { ...calleeOf(parts['callee'] as Node), table: (parts['arguments'] as readonly Node[])[0] }
}

/** The first text of each row of a table that is written in the same file. */
function rowsOf(table: Node | undefined, constants: Constants): readonly string[] {
  const { type, name, expression, elements } = table ?? { type: '' }
  if (type === 'Identifier') return rowsOf(constants.get(String(name)), constants)
  if (type.startsWith('TS')) return rowsOf(expression as Node | undefined, constants)
  if (type !== 'ArrayExpression') return []
  return (elements as readonly Node[]).flatMap((row) => {
    const first = row.type === 'ArrayExpression' ? (row['elements'] as readonly Node[])[0] : row
    return textOf(first) ?? []
  })
}

/** The text of a literal; of a template only its beginning. */
function textOf(node: Node | undefined): string | undefined {
  if (node?.type === 'Literal' && typeof node['value'] === 'string') return node['value']
  if (node?.type !== 'TemplateLiteral') return undefined
  const [first] = node['quasis'] as readonly { readonly value: { readonly cooked: string } }[]
  return first?.value.cooked
}

function constantOf({ type, id, init }: Node): readonly (readonly [string, Node])[] {
  return type === 'VariableDeclarator' && init ? [[String((id as Node)['name']), init as Node]] : []
}

/** All nodes except those inside a test, which contains no other test. */
function nodesOf(program: Node): readonly Node[] {
  const found: Node[] = []
  const open: unknown[] = [program]
  while (open.length > 0) {
    const next = open.pop()
    if (Array.isArray(next)) open.push(...next)
    if (!isNode(next)) continue
    found.push(next)
    if (!isTest(next)) open.push(...Object.values(next))
  }
  return found
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}

function isCall({ type }: Node): boolean {
  return type === 'CallExpression'
}

function isTest(node: Node): boolean {
  return isCall(node) && TESTS.includes(calleeOf(node['callee'] as Node).root)
}
