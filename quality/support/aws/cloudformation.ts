import { conditionHolds } from '../../../infra/preflight/template.ts'
import { type Resource, referencesIn, type Template } from '../../../test/support/template/template.ts'
import type { Account } from './account.ts'

export interface StackEvent {
  readonly logicalId: string
  readonly type: string
  readonly physicalId: string
  readonly status: string
  readonly reason?: string | undefined
}

interface Made {
  readonly id: string
  readonly resource: Resource
  /** The stack inside, of a nested one. */
  readonly nested?: Stack | undefined
}

/** What makes a resource fail: a reason for it, by logical id. */
export type Failing = (logicalId: string) => string | undefined

const never: Failing = () => undefined

const STACK = 'AWS::CloudFormation::Stack'

/**
 * One stack, by CloudFormation's documented rules: a first deployment that fails deletes what it made, whatever would
 * outlive the stack except what is `RetainExceptOnCreate` ("DeletionPolicy attribute"); an update that fails deletes what it added, by the
 * same rule; what cannot be deleted stays, and the stack has failed in that, too ("Stack failure options", "Troubleshooting").
 */
export class Stack {
  readonly name: string
  readonly #account: Account
  readonly #templateAt: (url: unknown) => Template
  readonly #made = new Map<string, Made>()
  readonly #nested = new Map<string, Stack>()
  status = 'REVIEW_IN_PROGRESS'
  template: Template = { Resources: {} }
  isProtected = false
  readonly events: StackEvent[] = []

  /** @param templateAt the template of a nested stack */
  constructor(name: string, account: Account, templateAt: (url: unknown) => Template = () => ({ Resources: {} })) {
    this.name = name
    this.#account = account
    this.#templateAt = templateAt
  }

  get resources(): ReadonlyMap<string, Made> {
    return this.#made
  }

  /** The stacks inside this one, also those that were taken back. */
  get nested(): ReadonlyMap<string, Stack> {
    return this.#nested
  }

  /** The first deployment. */
  create(template: Template, fails: Failing = never): void {
    if (this.status !== 'REVIEW_IN_PROGRESS') throw new Error(`Stack [${this.name}] already exists`)
    this.#is('CREATE_IN_PROGRESS')
    const added: string[] = []
    try {
      this.#add(template, added, fails)
      this.template = template
      this.#is('CREATE_COMPLETE')
    } catch (error) {
      this.#is('ROLLBACK_IN_PROGRESS', (error as Error).message)
      this.#is(this.#takeBack(added) ? 'ROLLBACK_COMPLETE' : 'ROLLBACK_FAILED')
    }
  }

  update(template: Template, fails: Failing = never): void {
    if (!/^(?:CREATE|UPDATE|UPDATE_ROLLBACK)_COMPLETE$/.test(this.status))
      throw new Error(`Stack:${this.name} is in ${this.status} state and can not be updated.`)
    this.#is('UPDATE_IN_PROGRESS')
    const added: string[] = []
    try {
      this.#add(template, added, fails)
      this.#change(template)
    } catch (error) {
      this.#is('UPDATE_ROLLBACK_IN_PROGRESS', (error as Error).message)
      // What a rollback cannot delete is left behind, no longer part of the stack.
      this.#takeBack(added)
      for (const id of added) this.#made.delete(id)
      this.#is('UPDATE_ROLLBACK_COMPLETE')
      return
    }
    const gone = [...this.#made.keys()].filter((id) => !Object.hasOwn(template.Resources, id))
    for (const id of gone.reverse()) this.#remove(id)
    this.template = template
    this.#is('UPDATE_COMPLETE')
  }

  delete(): void {
    if (this.isProtected)
      throw new Error(`Stack [${this.name}] cannot be deleted while TerminationProtection is enabled`)
    this.#is('DELETE_IN_PROGRESS')
    const whole = [...this.#made.keys()].reverse().map((id) => this.#remove(id))
    this.#is(whole.every(Boolean) ? 'DELETE_COMPLETE' : 'DELETE_FAILED')
  }

  #add(template: Template, added: string[], fails: Failing): void {
    for (const id of inOrder(template)) {
      const resource = template.Resources[id]
      if (resource === undefined || this.#made.has(id)) continue
      this.#tell(id, resource.Type, '', 'CREATE_IN_PROGRESS')
      try {
        this.#made.set(id, this.#make(id, resource, fails))
      } catch (error) {
        this.#tell(id, resource.Type, '', 'CREATE_FAILED', (error as Error).message)
        throw new Error(`The following resource(s) failed to create: [${id}].`)
      }
      added.push(id)
      this.#tell(id, resource.Type, this.#idOf(id), 'CREATE_COMPLETE')
    }
  }

  /** Changes what is there already; of that only the indexes of tables can fail here. */
  #change({ Resources: resources }: Template): void {
    const next = [...this.#made].flatMap(([id, made]) => {
      const resource = resources[id]
      return resource ? [[id, { ...made, resource }, made.resource] as const] : []
    })
    for (const [id, , former] of next) {
      if (changedIndexes(former, resources[id]) <= 1) continue
      const reason = 'Cannot perform more than one GSI creation or deletion in a single update'
      this.#tell(id, former.Type, this.#idOf(id), 'UPDATE_FAILED', reason)
      throw new Error(`The following resource(s) failed to update: [${id}].`)
    }
    for (const [id, made] of next) this.#made.set(id, made)
  }

  #make(logicalId: string, resource: Resource, fails: Failing): Made {
    const reason = fails(logicalId)
    if (reason !== undefined) throw new Error(reason)
    const id = this.#account.make(logicalId, resource, this.name)
    if (resource.Type !== STACK) return { id, resource }
    const nested = new Stack(this.#account.get(id)?.name ?? id, this.#account)
    nested.create(this.#templateAt(resource.Properties['TemplateURL']), fails)
    this.#nested.set(logicalId, nested)
    if (nested.status === 'CREATE_COMPLETE') return { id, resource, nested }
    this.#account.unmake(id)
    throw new Error(`Embedded stack ${nested.name} was not successfully created`)
  }

  #takeBack(added: readonly string[]): boolean {
    return added
      .toReversed()
      .map((id) => this.#remove(id, true))
      .every(Boolean)
  }

  /** @returns whether it is gone, or was to stay */
  #remove(logicalId: string, isCreation = false): boolean {
    const { id, resource, nested } = this.#made.get(logicalId) as Made
    const { Type: type, DeletionPolicy: policy } = resource
    if (policy === 'Retain' || (policy === 'RetainExceptOnCreate' && !isCreation)) {
      this.#tell(logicalId, type, this.#idOf(logicalId), 'DELETE_SKIPPED')
      this.#made.delete(logicalId)
      return true
    }
    this.#tell(logicalId, type, this.#idOf(logicalId), 'DELETE_IN_PROGRESS')
    try {
      nested?.delete()
      this.#account.unmake(id)
    } catch (error) {
      this.#tell(logicalId, type, this.#idOf(logicalId), 'DELETE_FAILED', (error as Error).message)
      return false
    }
    this.#tell(logicalId, type, this.#idOf(logicalId), 'DELETE_COMPLETE')
    this.#made.delete(logicalId)
    return true
  }

  #idOf(logicalId: string): string {
    return this.#account.get(this.#made.get(logicalId)?.id ?? '')?.name ?? ''
  }

  #is(status: string, reason?: string): void {
    this.status = status
    this.#tell(this.name, STACK, this.name, status, reason)
  }

  #tell(logicalId: string, type: string, physicalId: string, status: string, reason?: string): void {
    this.events.push({ logicalId, type, physicalId, status, reason })
  }
}

/** DynamoDB developer guide, "Managing global secondary indexes": one is made or deleted in an update. */
function changedIndexes(former: Resource, next: Resource | undefined): number {
  const namesIn = (resource: Resource | undefined) =>
    new Set(
      ((resource?.Properties?.['GlobalSecondaryIndexes'] ?? []) as readonly { IndexName: string }[]).map(
        ({ IndexName }) => IndexName,
      ),
    )
  return namesIn(former).symmetricDifference(namesIn(next)).size
}

/** The resources that are made, each after those that it refers to or depends on. */
export function inOrder({ Resources: resources, Conditions: conditions = {} }: Template): readonly string[] {
  const isMade = ({ Condition: name }: Resource) =>
    name === undefined || conditionHolds({ Condition: name }, conditions)
  const order = new Set<string>()
  const visiting = new Set<string>()
  const visit = (id: string): void => {
    const resource = resources[id]
    if (resource === undefined || visiting.has(id) || !isMade(resource)) return
    visiting.add(id)
    const { DependsOn: after = [], Properties: properties } = resource
    for (const name of [...[after].flat(), ...referencesIn(properties).map((reference) => reference.name)]) visit(name)
    order.add(id)
  }
  for (const id of Object.keys(resources)) visit(id)
  return [...order]
}
