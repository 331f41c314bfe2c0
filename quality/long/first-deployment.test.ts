import { describe, expect, it } from 'vitest'
import { packagedTemplate } from '../../test/support/template/packaged.ts'
import { ofType, type Resource, type Template } from '../../test/support/template/template.ts'
import { Account } from '../support/aws/account.ts'
import { inOrder, Stack } from '../support/aws/cloudformation.ts'

/** As the engine deploys: a stack of the bucket alone, the packages in it, then all else. */
function deployTwice(template: Template, failing: string) {
  const { ServerlessDeploymentBucket: bucket, ServerlessDeploymentBucketPolicy: policy } = template.Resources
  const first = {
    Resources: {
      ServerlessDeploymentBucket: bucket,
      ServerlessDeploymentBucketPolicy: policy,
    } as Template['Resources'],
  }
  const account = new Account()
  const stack = new Stack('gatehouse', account)
  const fails = (id: string) => (id === failing ? 'no' : undefined)
  stack.create(first, fails)
  if (stack.status === 'ROLLBACK_COMPLETE') return { stack }
  for (const { id } of stack.resources.values()) {
    const thing = account.get(id)
    if (thing?.type === 'AWS::S3::Bucket') thing.isFull = true
  }
  stack.update(template, fails)
  const after = { status: stack.status, left: account.names() }
  account.now += 60
  stack.update(template)
  return { stack, after }
}

/** The template with some of its resources changed. */
function changed(template: Template, isIt: (resource: Resource) => boolean, changes: Partial<Resource>): Template {
  const resources = Object.entries(template.Resources).map(([id, resource]) => [
    id,
    isIt(resource)
      ? { ...resource, ...changes, Properties: { ...resource.Properties, ...changes.Properties } }
      : resource,
  ])
  return { ...template, Resources: Object.fromEntries(resources) }
}

const isTable = ({ Type: type }: Resource) => type === 'AWS::DynamoDB::Table'

describe.each(['dev', 'prod', 'container', 'edge', 'vpc'])('the first deployment of %s', async (stage) => {
  const template = await packagedTemplate(stage)
  const ids = inOrder(template)

  it('leaves nothing but the bucket of the packages when it fails, wherever it fails, and the second one succeeds', () => {
    const left: string[] = []
    for (const id of ids.slice(2)) {
      const { stack, after } = deployTwice(template, id)
      if (after?.status !== 'UPDATE_ROLLBACK_COMPLETE' || after.left.length !== 2) left.push(`${id}: ${after?.left}`)
      if (stack.status !== 'UPDATE_COMPLETE') left.push(`${id}: ${stack.status}`)
    }
    expect(ids.length).toBeGreaterThan(300)
    expect(left).toEqual([])
  })

  it('can be deleted even when the bucket was not created', () => {
    const { stack } = deployTwice(template, 'ServerlessDeploymentBucket')
    expect(() => stack.update(template)).toThrow('is in ROLLBACK_COMPLETE state and can not be updated')
    stack.delete()
    expect(stack.status).toBe('DELETE_COMPLETE')
  })
})

describe('an obstacle to the second deployment is detected', async () => {
  const prod = await packagedTemplate('prod')
  const last = inOrder(prod).at(-1) ?? ''

  it.each([
    ['tables that outlive a first deployment', changed(prod, isTable, { DeletionPolicy: 'Retain' })],
    ['tables that the template protects', changed(prod, isTable, { Properties: { DeletionProtectionEnabled: true } })],
  ])('%s', (_, template) => {
    const { stack, after } = deployTwice(template, last)
    expect(after?.left.filter((name) => name.startsWith('gatehouse-prod-'))).toHaveLength(
      ofType(prod, 'AWS::DynamoDB::Table').length,
    )
    expect(stack.status).toBe('UPDATE_ROLLBACK_COMPLETE')
    expect(stack.events.findLast(({ status }) => status === 'CREATE_FAILED')?.reason).toMatch(
      /^gatehouse-prod-\w+ already exists$/,
    )
  })

  it('names of queues that were deleted less than a minute ago', () => {
    const account = new Account()
    const stack = new Stack('gatehouse', account)
    stack.create({ Resources: {} })
    stack.update(prod, (id) => (id === last ? 'no' : undefined))
    stack.update(prod)
    expect(stack.events.findLast(({ status }) => status === 'CREATE_FAILED')?.reason).toMatch(/^QueueDeletedRecently/)
    account.now += 60
    stack.update(prod)
    expect(stack.status).toBe('UPDATE_COMPLETE')
  })

  it('retained tables of a deleted stack', () => {
    const account = new Account()
    const stack = new Stack('gatehouse', account)
    stack.create(prod)
    stack.delete()
    expect(account.names().filter((name) => name.startsWith('gatehouse-prod-'))).toHaveLength(12)
    const again = new Stack('gatehouse', account)
    again.create(prod)
    expect(again.status).toBe('ROLLBACK_COMPLETE')
  })
})

describe('a release that is deployed and rolled back', async () => {
  const prod = await packagedTemplate('prod')
  const { EventsTable: events, PublicHelloLambdaFunction: hello } = prod.Resources as Record<string, Resource>

  /** The next version: a function more, and so many indexes more. */
  function next(indexes: number): Template {
    const present = (events?.Properties['GlobalSecondaryIndexes'] ?? []) as readonly object[]
    const added = Array.from({ length: indexes }, (_, index) => ({ IndexName: `next${index}` }))
    const table = {
      ...events,
      Properties: { ...events?.Properties, GlobalSecondaryIndexes: [...present, ...added] },
    } as Resource
    const planted = { ...hello, Properties: { ...hello?.Properties, FunctionName: 'gatehouse-prod-next' } } as Resource
    return { ...prod, Resources: { ...prod.Resources, EventsTable: table, NextLambdaFunction: planted } }
  }

  function deployed(): { account: Account; stack: Stack } {
    const account = new Account()
    const stack = new Stack('gatehouse', account)
    stack.create(prod)
    for (const { id } of stack.resources.values()) {
      const thing = account.get(id)
      if (thing?.type === 'AWS::DynamoDB::Table') thing.isProtected = true
    }
    return { account, stack }
  }

  it('leaves the stack and its tables unchanged', () => {
    const { account, stack } = deployed()
    const before = account.names()
    stack.update(next(1))
    expect([stack.status, account.names().includes('gatehouse-prod-next')]).toEqual(['UPDATE_COMPLETE', true])
    stack.update(prod)
    expect([stack.status, account.names()]).toEqual(['UPDATE_COMPLETE', before])
  })

  it('is deployed in two steps when it adds two indexes', () => {
    const { account, stack } = deployed()
    const before = account.names()
    stack.update(next(2))
    expect([stack.status, account.names()]).toEqual(['UPDATE_ROLLBACK_COMPLETE', before])
    expect(stack.events.find(({ status }) => status === 'UPDATE_FAILED')?.reason).toMatch(
      /one GSI creation or deletion/,
    )
    for (const indexes of [1, 2, 1, 0]) {
      stack.update(next(indexes))
      expect(stack.status).toBe('UPDATE_COMPLETE')
    }
  })
})
