import { join, relative } from 'node:path'
import {
  type BindingElement,
  type Expression,
  type Identifier,
  type Node,
  type SourceFile,
  SyntaxKind,
} from 'typescript/unstable/ast'
import {
  isArrowFunction,
  isBindingElement,
  isCallExpression,
  isElementAccessExpression,
  isExportDeclaration,
  isFunctionDeclaration,
  isFunctionExpression,
  isIdentifier,
  isImportDeclaration,
  isInterfaceDeclaration,
  isMethodDeclaration,
  isObjectBindingPattern,
  isObjectLiteralExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isShorthandPropertyAssignment,
  isTypeAliasDeclaration,
  isTypeNode,
  isVariableDeclaration,
  isVariableStatement,
} from 'typescript/unstable/ast/is'
import {
  API,
  type Symbol as CodeSymbol,
  type NodeHandle,
  type Project,
  SymbolFlags,
  type Type,
} from 'typescript/unstable/sync'

/** Code that runs as a whole once it runs: a module, a function, or a member of an object. */
export interface ReachedCode {
  readonly file: string
  readonly root: Node
  readonly nodes: readonly Node[]
}

/** A member of an object that is made as an implementation of an interface; run when the interface's is called. */
interface Member {
  readonly node: Node
  readonly name: string
  readonly type: Type
}

/** A member that code asks an object for; without a name it may be any. */
interface Use {
  readonly name: string | undefined
  readonly owner: Type
}

interface Piece extends ReachedCode {
  /** Modules and functions that run with it, or may. */
  readonly next: readonly Node[]
  readonly members: readonly Member[]
  readonly uses: readonly Use[]
}

export interface Code {
  /** All that may run when a file is run, its exported functions called. */
  reachedFrom(file: string): readonly ReachedCode[]
  /** The texts that an expression can be, by its type. */
  textsOf(expression: Expression): readonly string[]
  /** The names of the properties that an expression has, by its type. */
  propertiesOf(expression: Expression): readonly string[]
  close(): void
}

const ROOT = process.cwd()
const OURS = /^(lib|functions|infra\/adapter)\//

/**
 * The code of functions and container, and what calls what in it. An object's member counts as called only when the
 * interface that it implements is asked for that member by something that is reached, so two functions that are given the
 * same store do not seem to do the same with it.
 */
export function openCode(): Code {
  const api = new API({ cwd: ROOT })
  const project = api.updateSnapshot({ openProjects: [join(ROOT, 'tsconfig.json')] }).getProjects()[0]
  if (!project) throw new Error('tsconfig.json is no project')
  const { checker, program } = project
  const pieces = new Map<Node, Piece>()
  const pieceOf = (node: Node) => {
    const piece = pieces.get(node) ?? readPiece(node, project)
    pieces.set(node, piece)
    return piece
  }
  const calls = callsIn(project)

  return {
    reachedFrom(file) {
      const entry = program.getSourceFile(join(ROOT, file))
      if (!entry) throw new Error(`no file ${file}`)
      const reached = new Set<Node>([
        entry,
        ...entry.statements.filter(isVariableStatement).flatMap(({ declarationList }) => declarationList.declarations),
      ])
      const calledWith = members(calls)
      for (const node of reached) {
        const piece = pieceOf(node)
        for (const next of [...piece.next, ...calledWith(piece)]) reached.add(next)
      }
      return Array.from(reached, pieceOf)
    },
    textsOf(expression) {
      const type = checker.getTypeAtLocation(expression)
      const parts = type?.isUnionType() ? type.getTypes() : [type]
      return parts.flatMap((part) => (part?.isStringLiteralType() ? [part.value] : []))
    },
    propertiesOf(expression) {
      const type = checker.getTypeAtLocation(expression)
      return type ? checker.getPropertiesOfType(type).map(({ name }) => name) : []
    },
    close: () => api.close(),
  }
}

/** Collects what is made and what is asked for, and tells which members are called because of one piece more. */
function members(calls: (use: Use, member: Member) => boolean) {
  const made = new Set<Member>()
  const asked = new Map<string, Use>()
  return (piece: Piece): readonly Node[] => {
    const fresh = piece.uses.filter((use) => !asked.has(keyOf(use)))
    for (const use of fresh) asked.set(keyOf(use), use)
    const called = [
      ...made.values().filter((member) => fresh.some((use) => calls(use, member))),
      ...piece.members.filter((member) => asked.values().some((use) => calls(use, member))),
    ]
    for (const member of piece.members) made.add(member)
    return called.map(({ node }) => node)
  }
}

function keyOf({ name = '', owner }: Use): string {
  return `${owner.id}.${name}`
}

function readPiece(root: Node, { checker, program }: Project): Piece {
  const nodes = nodesIn(root)
  const file = relative(ROOT, sourceOf(root).fileName)
  const resolved = (symbol: CodeSymbol) =>
    symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  const declarationsOf = (symbol: CodeSymbol | undefined) =>
    symbol ? resolved(symbol).declarations.filter(isOurs) : []
  const accesses = [root, ...nodes.filter((node) => !isTaken(node))].flatMap(accessesOf)
  const owners = checker.getTypeAtLocation(accesses.map(({ owner }) => owner))
  const uses = accesses.flatMap(({ name }, index) => {
    const owner = owners[index] && checker.getNonNullableType(owners[index])
    return owner ? [{ name, owner }] : []
  })
  const modules = nodes
    .flatMap(importsOf)
    .flatMap((specifier) => declarationsOf(checker.getSymbolAtLocation(specifier)))
    .map(({ path }) => program.getSourceFile(path))
  const named = [
    ...checker.getSymbolAtLocation(nodes.filter(isReference)),
    ...[root].filter(isShorthandPropertyAssignment).map((node) => checker.getShorthandAssignmentValueSymbol(node)),
    ...uses.map(({ name, owner }) => (name === undefined ? undefined : checker.getPropertyOfType(owner, name))),
  ]
  const functions = named.flatMap(declarationsOf).map((declaration) => declaration.resolve())
  const made = nodes.filter(isMember).map((node) => ({ node, name: node.name.text, type: implementedType(node) }))

  /** What a member implements of an interface of ours, undefined for any other. */
  function implementedType({ parent, name }: MemberNode): Type | undefined {
    const contextual = isObjectLiteralExpression(parent) ? checker.getContextualType(parent) : undefined
    const type = contextual && checker.getNonNullableType(contextual)
    const declared = type && checker.getPropertyOfType(type, name.text)
    return declared?.declarations.some(isOfInterface) ? type : undefined
  }

  return {
    file,
    root,
    nodes,
    next: [
      ...modules,
      ...functions.filter((node) => node !== undefined && (isFunction(node) || isTaken(node))),
      ...made.filter(({ type }) => type === undefined).map(({ node }) => node),
    ].filter((node) => node !== undefined),
    members: made.flatMap(({ type, ...member }) => (type ? [{ ...member, type }] : [])),
    uses,
  }
}

/** Whether asking an object for a member may run that of an implementation: by name, and by type. */
function callsIn({ checker }: Project) {
  const answers = new Map<string, boolean>()
  return ({ name, owner }: Use, member: Member): boolean => {
    if (name !== undefined && name !== member.name) return false
    const key = `${member.type.id} ${owner.id} ${member.name}`
    const answer =
      answers.get(key) ??
      (checker.getPropertyOfType(owner, member.name)?.declarations.some(isOurs) === true &&
        checker.isTypeAssignableTo(member.type, owner))
    answers.set(key, answer)
    return answer
  }
}

/** All nodes below one, but not what is in those that run by themselves. */
function nodesIn(root: Node): readonly Node[] {
  const nodes: Node[] = []
  const visit = (node: Node): undefined => {
    nodes.push(node)
    if (!isApart(node)) node.forEachChild(visit)
  }
  root.forEachChild(visit)
  return nodes
}

const TYPES = [isTypeNode, isInterfaceDeclaration, isTypeAliasDeclaration]

function isApart(node: Node): boolean {
  return (
    isFunction(node) || isTaken(node) || isMember(node) || isModuleLink(node) || TYPES.some((isType) => isType(node))
  )
}

function isModuleLink(node: Node) {
  return isImportDeclaration(node) || isExportDeclaration(node)
}

/** A function that has a name. */
function isFunction(node: Node): boolean {
  return (
    isFunctionDeclaration(node) || (isVariableDeclaration(node) && isIdentifier(node.name) && isBody(node.initializer))
  )
}

function isBody(node: Node | undefined): boolean {
  return node !== undefined && (isArrowFunction(node) || isFunctionExpression(node))
}

/** A name for a member of an object, which is asked for when the name is. */
function isTaken(node: Node): node is BindingElement {
  return isBindingElement(node) && isObjectBindingPattern(node.parent)
}

type MemberNode = Node & { readonly name: Identifier }

/** A member of an object whose value is a function, or may be. */
function isMember(node: Node): node is MemberNode {
  if (isShorthandPropertyAssignment(node)) return true
  if (isMethodDeclaration(node)) return isIdentifier(node.name)
  if (!isPropertyAssignment(node) || !isIdentifier(node.name)) return false
  return isBody(node.initializer) || isIdentifier(node.initializer) || isPropertyAccessExpression(node.initializer)
}

function isReference(node: Node): node is Identifier {
  return isIdentifier(node) && !(isPropertyAccessExpression(node.parent) && node.parent.name === node)
}

/** The modules that run before this one does, or are loaded by it. */
function importsOf(node: Node): readonly Node[] {
  if (isImportDeclaration(node)) {
    return node.importClause?.phaseModifier === SyntaxKind.TypeKeyword ? [] : [node.moduleSpecifier]
  }
  if (isExportDeclaration(node)) return node.moduleSpecifier && !node.isTypeOnly ? [node.moduleSpecifier] : []
  return isCallExpression(node) && node.expression.kind === SyntaxKind.ImportKeyword ? node.arguments.slice(0, 1) : []
}

function accessesOf(node: Node): readonly { readonly name: string | undefined; readonly owner: Node }[] {
  if (isPropertyAccessExpression(node)) return [{ name: node.name.text, owner: node.expression }]
  if (isElementAccessExpression(node)) return [{ name: undefined, owner: node.expression }]
  if (!isTaken(node)) return []
  const name = node.propertyName ?? node.name
  return name && isIdentifier(name) ? [{ name: name.text, owner: node.parent }] : []
}

function sourceOf(node: Node): SourceFile {
  return node.kind === SyntaxKind.SourceFile ? (node as SourceFile) : sourceOf(node.parent)
}

function isOurs({ path }: NodeHandle): boolean {
  return OURS.test(relative(ROOT, path))
}

function isOfInterface(declaration: NodeHandle): boolean {
  const { kind } = declaration
  return isOurs(declaration) && (kind === SyntaxKind.MethodSignature || kind === SyntaxKind.PropertySignature)
}
