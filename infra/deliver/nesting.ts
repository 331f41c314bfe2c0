import { existsSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PutObjectCommand, S3Client, type S3ClientConfig } from '@aws-sdk/client-s3'
import { DESTINATIONS_STACK, isOfDestinations } from './names.ts'
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

/** The file of the nested template, among the packages. */
export const NESTED_TEMPLATE = 'cloudformation-template-destinations.json'

/** Moves what is there for destinations into a stack of its own, and writes its template among the packages. */
export async function nestDestinations(engine: NestingEngine): Promise<void> {
  const { provider } = engine.service
  const template = provider.compiledCloudFormationTemplate
  const ids = Object.keys(template.Resources).filter(isOfDestinations)
  if (ids.length === 0) return
  const place = { id: DESTINATIONS_STACK, url: urlBeside(packageIn(template, ids)), holds: isOfDestinations }
  const { parent, nested } = nest(template, place)
  provider.compiledCloudFormationTemplate = parent
  const file = fileOf(engine)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, JSON.stringify(nested, null, 2))
}

/** Puts the nested template where the parent says that it is. @throws Error of the AWS SDK */
export async function uploadNested(engine: NestingEngine): Promise<void> {
  const { package: packaged, provider } = engine.service
  const file = fileOf(engine)
  if (provider.shouldNotDeploy || !existsSync(file)) return
  const aws = engine.getProvider('aws')
  const client = new S3Client(await aws.getAwsSdkV3Config())
  try {
    await client.send(
      new PutObjectCommand({
        Bucket: await aws.getServerlessDeploymentBucketName(),
        Key: `${packaged.artifactDirectoryName}/${NESTED_TEMPLATE}`,
        Body: readFileSync(file),
        ContentType: 'application/json',
      }),
    )
  } finally {
    client.destroy()
  }
}

function fileOf({ serviceDir }: NestingEngine): string {
  return join(serviceDir, '.serverless', NESTED_TEMPLATE)
}

interface Code {
  readonly S3Bucket: unknown
  readonly S3Key: string
}

/** The package of one of the functions. */
function packageIn({ Resources: resources }: StackTemplate, ids: readonly string[]): Code {
  const found = ids.map((id) => resources[id]).find((resource) => resource?.Type === 'AWS::Lambda::Function')
  return found?.Properties?.['Code'] as Code
}

/** The address of the nested template: it is uploaded beside the packages of the functions. */
function urlBeside({ S3Bucket: bucket, S3Key: key }: Code): object {
  const host = ['https://s3.', { Ref: 'AWS::Region' }, '.', { Ref: 'AWS::URLSuffix' }]
  return { 'Fn::Join': ['', [...host, '/', bucket, `/${dirname(key)}/${NESTED_TEMPLATE}`]] }
}
