import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PutObjectCommand, S3Client, type S3ClientConfig } from '@aws-sdk/client-s3'
import { DESTINATIONS_STACK, isOfDestinations } from '../names.ts'
import { isOfShift, SHIFT_STACK } from '../shift.ts'
import { isOfTeam, TEAM_STACK } from '../team-resources.ts'
import { nest, type StackTemplate } from './nested.ts'

/** The part of the deployment engine with the template, complete but not yet written, and the bucket of the packages. */
export interface NestingEngine {
  /** The folder of serverless.yml. */
  readonly serviceDir: string
  readonly service: {
    readonly package: { readonly artifactDirectoryName: string }
    readonly provider: { compiledCloudFormationTemplate: StackTemplate; readonly shouldNotDeploy?: boolean }
  }
  getProvider(name: 'aws'): {
    getAwsSdkV3Config(): Promise<S3ClientConfig>
    getServerlessDeploymentBucketName(): Promise<string>
  }
}

/** Moves what belongs into stacks of their own, and writes their templates among the packages. */
export async function nestStacks(engine: NestingEngine): Promise<void> {
  const { provider } = engine.service
  const code = codeIn(provider.compiledCloudFormationTemplate)
  for (const stack of NESTED_STACKS) {
    const template = provider.compiledCloudFormationTemplate
    if (!Object.keys(template.Resources).some(stack.holds)) continue
    const urlOf = (nested: StackTemplate) => urlIn(code.S3Bucket, stack.keyOf(dirname(code.S3Key), textOf(nested)))
    const { parent, nested } = nest(template, { ...stack, urlOf })
    provider.compiledCloudFormationTemplate = parent
    const file = fileOf(engine, stack)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, textOf(nested))
  }
}

/** Puts the nested templates where the parent says that they are. @throws Error of the AWS SDK */
export async function uploadNested(engine: NestingEngine): Promise<void> {
  const { package: packaged, provider } = engine.service
  const written = NESTED_STACKS.filter((stack) => existsSync(fileOf(engine, stack)))
  if (provider.shouldNotDeploy || written.length === 0) return
  const aws = engine.getProvider('aws')
  const client = new S3Client(await aws.getAwsSdkV3Config())
  const bucket = await aws.getServerlessDeploymentBucketName()
  try {
    for (const stack of written) {
      const text = readFileSync(fileOf(engine, stack), 'utf8')
      const Key = stack.keyOf(packaged.artifactDirectoryName, text)
      await client.send(new PutObjectCommand({ Bucket: bucket, Key, Body: text, ContentType: 'application/json' }))
    }
  } finally {
    client.destroy()
  }
}

/** Without the parts that have nothing in them. */
function textOf(template: StackTemplate): string {
  const parts = Object.entries(template).filter(([, part]) => Object.keys(part).length > 0)
  return JSON.stringify(Object.fromEntries(parts), null, 2)
}

function fileOf({ serviceDir }: NestingEngine, { file }: NestedStack): string {
  return join(serviceDir, '.serverless', file)
}

interface Code {
  readonly S3Bucket: unknown
  readonly S3Key: string
}

/** The package of one of the functions. */
export function codeIn({ Resources: resources }: StackTemplate): Code {
  const found = Object.values(resources).find(({ Type: type }) => type === 'AWS::Lambda::Function')
  return found?.Properties?.['Code'] as Code
}

function urlIn(bucket: unknown, key: string): object {
  const host = ['https://s3.', { Ref: 'AWS::Region' }, '.', { Ref: 'AWS::URLSuffix' }]
  return { 'Fn::Join': ['', [...host, '/', bucket, `/${key}`]] }
}

/** A stack within that of the stage. Which resources it has is a rule on their logical ids (docs/decisions/0027-nested-stacks.md). */
interface NestedStack {
  /** Its logical id. */
  readonly id: string
  /** The file of its template, among the packages. */
  readonly file: string
  readonly holds: (logicalId: string) => boolean
  /** Where its template is in the bucket. @param folder of the packages of this deployment */
  readonly keyOf: (folder: string, template: string) => string
}

/** The logical id of the nested stack of the saved queries. */
export const QUERIES_STACK = 'QueriesStack'

/** Whether a resource, by its logical id, is a saved query. */
export function isSavedQuery(id: string): boolean {
  return /^SavedQuery[A-Z]/.test(id)
}

/** The logical id of the nested stack of the roles of functions. */
export const ROLES_STACK = 'RolesStack'

/**
 * Whether a resource, by its logical id, is the role of a function of the service. Not those of the HTTP API, which names
 * functions, and of the container: these functions and the nested stack would wait for each other.
 */
export function isFunctionRole(id: string): boolean {
  return /^(?!HttpApi|Adapter).*Role$/.test(id) && !isOfDestinations(id)
}

export const NESTED_STACKS: readonly NestedStack[] = [
  {
    id: DESTINATIONS_STACK,
    file: 'cloudformation-template-destinations.json',
    holds: isOfDestinations,
    keyOf: (folder) => `${folder}/cloudformation-template-destinations.json`,
  },
  {
    id: TEAM_STACK,
    file: 'cloudformation-template-team.json',
    holds: isOfTeam,
    keyOf: (folder, template) => `${dirname(folder)}/team/${hashOf(template)}.json`,
  },
  {
    id: QUERIES_STACK,
    file: 'cloudformation-template-queries.json',
    holds: isSavedQuery,
    keyOf: (folder, template) => `${dirname(folder)}/queries/${hashOf(template)}.json`,
  },
  {
    id: ROLES_STACK,
    file: 'cloudformation-template-roles.json',
    holds: isFunctionRole,
    keyOf: (folder, template) => `${dirname(folder)}/roles/${hashOf(template)}.json`,
  },
  {
    id: SHIFT_STACK,
    file: 'cloudformation-template-shift.json',
    holds: isOfShift,
    keyOf: (folder, template) => `${dirname(folder)}/shift/${hashOf(template)}.json`,
  },
]

/** A template named by its content: a deployment that changes nothing finds the same address in the parent, and ends. */
function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}
