import { env } from 'node:process'
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts'
import { type Finding, failing, passed, warn } from '../finding.ts'

const CREDENTIALS = 'aws configure, AWS_PROFILE, or AWS_ACCESS_KEY_ID with AWS_SECRET_ACCESS_KEY'

/** How long AWS is waited for, in milliseconds. */
export function clientIn(region: string) {
  return { region, requestHandler: { connectionTimeout: 5000, requestTimeout: 10_000 } }
}

/** Whom the credentials of this shell belong to; no ARN if there are none, or AWS does not know them. */
export async function checkCaller(region: string): Promise<{ readonly finding: Finding; readonly arn?: string }> {
  const client = new STSClient(clientIn(region))
  try {
    const { Account: account, Arn: arn = '' } = await client.send(new GetCallerIdentityCommand())
    return { finding: passed('credentials', `account ${account}, as ${arn}`), arn }
  } catch (error) {
    return { finding: failing('credentials', awsReason(error), CREDENTIALS) }
  } finally {
    client.destroy()
  }
}

/** Commands of AWS in this shell go to its region, `npx serverless` goes to that of the stage. */
export function checkRegion(region: string): Finding {
  const shell = env['AWS_REGION'] || env['AWS_DEFAULT_REGION']
  if (!shell || shell === region) return passed('region', region)
  const remedy = `export AWS_REGION=${region} before any other command of AWS`
  return warn('region', `${region}, and ${shell} in this shell`, remedy)
}

/** What a new account has is 10; the functions of a stage serve a person's page with several calls at once. */
const FEW = 100

/** What Lambda leaves to functions that reserve nothing (Lambda developer guide, "Configuring reserved concurrency"). */
const UNRESERVED = 100

/** @param reserved for all functions together @throws Error of the AWS SDK */
export async function checkConcurrency(region: string, reserved: number): Promise<readonly Finding[]> {
  const client = new LambdaClient(clientIn(region))
  try {
    const { AccountLimit: limit } = await client.send(new GetAccountSettingsCommand())
    const most = limit?.ConcurrentExecutions ?? 0
    const message = `${most} functions at a time`
    if (reserved > 0 && reserved > most - UNRESERVED) {
      const wanted = `${message}, of which reservedConcurrency takes ${reserved} and ${UNRESERVED} must be left`
      return [failing('concurrency', wanted, 'reserve less, or ask for more: docs/deploy.md, step 1')]
    }
    if (most >= FEW) return [passed('concurrency', message)]
    return [warn('concurrency', message, 'ask for more, docs/deploy.md, step 1, says how')]
  } finally {
    client.destroy()
  }
}

/** In the words of AWS, which name a right that is missing. */
export function awsReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { name, message, cause } = error
  return cause instanceof Error ? awsReason(cause) : message.includes(name) ? message : `${name}: ${message}`
}
