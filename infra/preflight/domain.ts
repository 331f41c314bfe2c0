import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { GetHostedZoneCommand, Route53Client } from '@aws-sdk/client-route-53'
import { type Finding, failing, passed, warn } from '../finding.ts'
import { clientIn, isNamed } from './asked.ts'
import { misplacedIn } from './certificate.ts'
import type { Deployment } from './deployment.ts'

/** Where CloudFront takes its certificate, its firewall and its functions from. */
export const EDGE_REGION = 'us-east-1'

const STEP = 'docs/deploy.md, step 7'

/** Whether the domain lies in the hosted zone that its record goes into. @throws Error of the AWS SDK */
export async function checkZone(Id: string, domain: string, region: string): Promise<readonly Finding[]> {
  const client = new Route53Client(clientIn(region))
  try {
    const { HostedZone: zone } = await client.send(new GetHostedZoneCommand({ Id }))
    const name = (zone?.Name ?? '').replace(/\.$/, '').toLowerCase()
    const wrong = (message: string) => [
      failing('hosted zone', `${Id} ${message}`, 'name the public zone of the domain'),
    ]
    if (zone?.Config?.PrivateZone) return wrong('is private')
    if (!`.${domain.toLowerCase()}`.endsWith(`.${name}`)) return wrong(`is ${name}, and ${domain} is not in it`)
    return [passed('hosted zone', `${Id}, ${name}`)]
  } catch (error) {
    if (!isNamed(error, 'NoSuchHostedZone')) throw error
    return [failing('hosted zone', `${Id} is not there`, 'name the zone of the domain: aws route53 list-hosted-zones')]
  } finally {
    client.destroy()
  }
}

/** The firewall, by its ARN alone. */
export function checkFirewall({ parameters, caller }: Deployment): Finding {
  const arn = String(parameters['edgeWebAclArn'] || '')
  if (arn === '') return warn('firewall', 'CloudFront gets none', `${STEP}, makes one`)
  const wrong = misplacedIn(arn, EDGE_REGION, caller.account)
  if (wrong) return failing('firewall', `${arn} ${wrong}`, `${STEP}, makes it there`)
  return /:wafv2:.*:global\/webacl\//.test(arn)
    ? passed('firewall', arn)
    : failing('firewall', `${arn} is no web ACL for CloudFront`, `${STEP}, makes one`)
}

/** The function that gives `WWW-Authenticate` its name back. @throws Error of the AWS SDK */
export async function checkChallenge({ parameters, caller }: Deployment): Promise<readonly Finding[]> {
  const arn = String(parameters['edgeChallengeArn'] || '')
  if (arn === '') return [warn('challenge', 'WWW-Authenticate keeps another name', `${STEP}, makes the function`)]
  const refused = (message: string) => [failing('challenge', `${arn} ${message}`, `${STEP}, makes it`)]
  const wrong = misplacedIn(arn, EDGE_REGION, caller.account)
  if (wrong) return refused(wrong)
  if (!/:function:[\w-]+:\d+$/.test(arn)) return refused('is not a version of a function, which CloudFront requires')
  const client = new LambdaClient(clientIn(EDGE_REGION))
  try {
    await client.send(new GetFunctionConfigurationCommand({ FunctionName: arn }))
    return [passed('challenge', arn)]
  } catch (error) {
    if (!isNamed(error, 'ResourceNotFoundException')) throw error
    return refused('is not there')
  } finally {
    client.destroy()
  }
}
