import { join } from 'node:path'
import { type Node, SyntaxKind } from 'typescript/unstable/ast'
import {
  isBinaryExpression,
  isCallExpression,
  isConditionalExpression,
  isElementAccessExpression,
} from 'typescript/unstable/ast/is'
import { API, TypeFlags } from 'typescript/unstable/sync'

/** A place where an object is asked for a property whose name may be any text. */
export interface OpenKey {
  readonly file: string
  readonly code: string
}

interface Lookup {
  readonly node: Node
  readonly object: Node
  readonly key: Node
}

const ROOT = process.cwd()

/**
 * Every look-up by a name that no type bounds, in an object that has inherited names, too: `object[key]`,
 * `key in object` and `Reflect.get(object, key)`, unless `Object.hasOwn` is asked before. A Map has no inherited names,
 * an array is asked by number.
 */
export function openKeys(files: readonly string[]): readonly OpenKey[] {
  const api = new API({ cwd: ROOT })
  try {
    const project = api.updateSnapshot({ openProjects: [join(ROOT, 'tsconfig.json')] }).getProjects()[0]
    if (!project) throw new Error('tsconfig.json is no project')
    const { checker, program } = project
    return files.flatMap((file) => {
      const source = program.getSourceFile(join(ROOT, file))
      if (!source) throw new Error(`no file ${file}`)
      const lookups = nodesBelow(source).flatMap(lookupsOf)
      const keys = checker.getTypeAtLocation(lookups.map(({ key }) => key))
      return lookups
        .filter((_, index) => {
          const type = keys[index]
          const parts = type?.isUnionType() ? type.getTypes() : [type]
          return parts.some((part) => part === undefined || (part.flags & ANY_TEXT) !== 0)
        })
        .filter((lookup) => !isAsked(lookup))
        .map(({ node }) => ({ file, code: node.getText() }))
    })
  } finally {
    api.close()
  }
}

const ANY_TEXT =
  TypeFlags.String | TypeFlags.TemplateLiteral | TypeFlags.StringMapping | TypeFlags.Any | TypeFlags.Unknown

/** Whether the look-up is made only if the object has that name itself: `Object.hasOwn(object, key) ? object[key] : …`. */
function isAsked({ node, object, key }: Lookup): boolean {
  for (let inner = node, outer = node.parent; outer !== undefined; inner = outer, outer = outer.parent) {
    if (!isConditionalExpression(outer)) continue
    const isAskedThere = outer.condition.getText() === `Object.hasOwn(${object.getText()}, ${key.getText()})`
    if (isAskedThere && outer.whenTrue === inner) return true
  }
  return false
}

function nodesBelow(root: Node): readonly Node[] {
  const nodes: Node[] = []
  const visit = (node: Node): undefined => {
    nodes.push(node)
    node.forEachChild(visit)
  }
  root.forEachChild(visit)
  return nodes
}

function lookupsOf(node: Node): readonly Lookup[] {
  if (isElementAccessExpression(node)) return [{ node, object: node.expression, key: node.argumentExpression }]
  if (isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.InKeyword) {
    return [{ node, object: node.right, key: node.left }]
  }
  if (isCallExpression(node) && /^Reflect\.(get|has|set)$/.test(node.expression.getText())) {
    const [object, key] = node.arguments
    return object && key ? [{ node, object, key }] : []
  }
  return []
}
