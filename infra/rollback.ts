import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import {
  CloudFormationClient,
  type CloudFormationClientConfig,
  DescribeStacksCommand,
  GetTemplateCommand,
} from '@aws-sdk/client-cloudformation'
import { GetObjectCommand, NoSuchKey, PutObjectCommand, S3Client, type S3ClientConfig } from '@aws-sdk/client-s3'
import * as z from 'zod/mini'
import type { StackTemplate } from './deliver/nested.ts'
import { codeIn } from './deliver/nesting.ts'
import { TEAM_STACK } from './team-resources.ts'

/** The part of the deployment engine with the name of the stack, its bucket and the AWS credentials. */
export interface RollbackEngine {
  readonly service: {
    readonly package: { readonly artifactDirectoryName: string }
    readonly provider: { readonly shouldNotDeploy?: boolean; readonly deploymentWithEmptyChangeSet?: boolean }
  }
  getProvider(name: 'aws'): {
    readonly naming: { getStackName(): string }
    getAwsSdkV3Config(): Promise<S3ClientConfig & CloudFormationClientConfig>
    getServerlessDeploymentBucketName(): Promise<string>
  }
}

/** The file with the folders of the packages that became the stage, oldest first: the bucket also has those that failed. */
const DEPLOYED = 'deployed.json'
const MOST = 20

/** The file of the main template, beside the packages of the functions. */
const TEMPLATE = 'compiled-cloudformation-template.json'

/**
 * After a deployment or a rollback: keeps in mind what the stage is made of. What came after a package that is put back is
 * forgotten. @throws Error of the AWS SDK
 */
export async function rememberPackage(engine: RollbackEngine): Promise<void> {
  const { package: packaged, provider } = engine.service
  if (provider.shouldNotDeploy || provider.deploymentWithEmptyChangeSet) return
  const { artifactDirectoryName: folder } = packaged
  await usingBucket(engine, async (bucket) => {
    const all = await deployedIn(bucket, dirname(folder))
    const before = all.includes(folder) ? all.slice(0, all.indexOf(folder)) : all
    await bucket.write(join(dirname(folder), DEPLOYED), [...before, folder].slice(-MOST))
  })
}

interface Former {
  /** The start of the name of its folder, as the engine's rollback takes it. */
  readonly timestamp: string
  /** Those of its template, which keep their values. */
  readonly parameters: readonly object[]
}

/**
 * What the stage was made of before.
 * @returns why there is no way back, if there is none
 * @throws Error of the AWS SDK
 */
export async function formerPackage(engine: RollbackEngine): Promise<Former | { readonly refused: string }> {
  const { naming } = engine.getProvider('aws')
  const stack = await stackOf(engine, naming.getStackName())
  if (stack.template === undefined) return { refused: stack.refused }
  const folder = dirname(codeIn(stack.template).S3Key)
  return usingBucket(engine, async (bucket) => {
    const all = await deployedIn(bucket, dirname(folder))
    const former = all[all.indexOf(folder) - 1]
    const text = former && (await bucket.read(join(former, TEMPLATE)))
    if (!former || !text) return { refused: `The bucket has no former package of ${naming.getStackName()}` }
    const then: StackTemplate = JSON.parse(text)
    const [tables, before] = [await tablesIn(stack.template, bucket), await tablesIn(then, bucket)]
    const changed = Object.keys({ ...tables, ...before }).filter((id) => !isDeepStrictEqual(tables[id], before[id]))
    if (changed.length > 0) {
      const names = changed.join(', ')
      return { refused: `The former package has other tables: ${names}. Deploy its tag in steps: docs/releasing.md` }
    }
    const { Parameters: present = {} } = stack.template
    const kept = Object.keys(then.Parameters ?? {}).filter((name) => Object.hasOwn(present, name))
    return {
      timestamp: former.slice(former.lastIndexOf('/') + 1).replace(/-.*/, ''),
      parameters: kept.map((ParameterKey) => ({ ParameterKey, UsePreviousValue: true })),
    }
  })
}

/** The template of a stack that can be changed. */
async function stackOf(engine: RollbackEngine, StackName: string) {
  const client = new CloudFormationClient(await engine.getProvider('aws').getAwsSdkV3Config())
  try {
    const { Stacks: [{ StackStatus: status = '' } = {}] = [] } = await client.send(
      new DescribeStacksCommand({ StackName }),
    )
    if (status.endsWith('_IN_PROGRESS'))
      return {
        refused: `${StackName} is ${status}: wait for its end, or stop it with aws cloudformation cancel-update-stack`,
      }
    const { TemplateBody = '{}' } = await client.send(new GetTemplateCommand({ StackName }))
    return { template: JSON.parse(TemplateBody) as StackTemplate }
  } catch (error) {
    if (error instanceof Error && error.message.includes('does not exist')) return { refused: error.message }
    throw error
  } finally {
    client.destroy()
  }
}

/** The tables of the service and, in a stack of their own, of the team; tags may change. */
async function tablesIn({ Resources: resources }: StackTemplate, bucket: Bucket): Promise<StackTemplate['Resources']> {
  const tables = Object.entries(resources)
    .filter(([, { Type: type }]) => type === 'AWS::DynamoDB::Table')
    .map(([id, table]) => [id, { ...table, Properties: { ...table.Properties, Tags: undefined } }])
  const { TemplateURL: url } = (resources[TEAM_STACK]?.Properties ?? {}) as { readonly TemplateURL?: object }
  // The end of what is joined there is the key, behind a slash.
  const key = /"\/([^"]+)"\]\]\}$/.exec(JSON.stringify(url) ?? '')?.[1]
  const text = key && (await bucket.read(key))
  return { ...Object.fromEntries(tables), ...(text && (await tablesIn(JSON.parse(text), bucket))) }
}

async function deployedIn(bucket: Bucket, folder: string): Promise<readonly string[]> {
  return z.parse(z.array(z.string()), JSON.parse((await bucket.read(join(folder, DEPLOYED))) ?? '[]'))
}

interface Bucket {
  readonly read: (key: string) => Promise<string | undefined>
  readonly write: (key: string, value: object) => Promise<unknown>
}

async function usingBucket<R>(engine: RollbackEngine, run: (bucket: Bucket) => Promise<R>): Promise<R> {
  const aws = engine.getProvider('aws')
  const client = new S3Client(await aws.getAwsSdkV3Config())
  const Bucket = await aws.getServerlessDeploymentBucketName()
  try {
    return await run({
      read: (Key) =>
        client.send(new GetObjectCommand({ Bucket, Key })).then(
          ({ Body: body }) => body?.transformToString(),
          (error: unknown) => {
            if (error instanceof NoSuchKey) return undefined
            throw error
          },
        ),
      write: (Key, value) => client.send(new PutObjectCommand({ Bucket, Key, Body: JSON.stringify(value) })),
    })
  } finally {
    client.destroy()
  }
}
