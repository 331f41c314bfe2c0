import { parseAst } from 'vitest/node'

/** A part of a program; ESTree, whose nodes differ too much to be told apart here. */
interface Node {
  readonly type: string
  readonly [property: string]: unknown
}

const TESTS: readonly string[] = ['it', 'test']
const SUITES_AND_TESTS = ['describe', ...TESTS]

/** What keeps a test from being run. */
const IDLE: readonly string[] = ['skip', 'todo']

/**
 * The titles of the suites and tests in a file, and of their rows: those of `%s` and of a row that begins with a text, as
 * one text. A comment has none, nor has what is never run.
 * @param lang of the code: a generic arrow function of TypeScript is none of TSX
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
  /** What `each` or `for` was called with. */
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

/** The text that each row of a table begins with, where it is written down in the same file. */
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

/** What a literal says, of a template only its beginning. */
function textOf(node: Node | undefined): string | undefined {
  if (node?.type === 'Literal' && typeof node['value'] === 'string') return node['value']
  if (node?.type !== 'TemplateLiteral') return undefined
  const [first] = node['quasis'] as readonly { readonly value: { readonly cooked: string } }[]
  return first?.value.cooked
}

function constantOf({ type, id, init }: Node): readonly (readonly [string, Node])[] {
  return type === 'VariableDeclarator' && init ? [[String((id as Node)['name']), init as Node]] : []
}

/** All but what is within a test: there is no other one. */
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
