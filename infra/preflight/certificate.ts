import { ACMClient, DescribeCertificateCommand } from '@aws-sdk/client-acm'
import { readArn } from '../../lib/adapters/aws/arn.ts'
import { type Finding, failing, passed } from '../finding.ts'
import { clientIn, isNamed } from './asked.ts'
import type { Deployment } from './deployment.ts'

interface Wanted {
  readonly arn: string
  /** Where AWS looks for it. */
  readonly region: string
  /** The names that clients call. */
  readonly names: readonly string[]
}

/** @throws Error of the AWS SDK */
export async function checkCertificate(
  { caller }: Deployment,
  { arn, region, names }: Wanted,
): Promise<readonly Finding[]> {
  const refused = (message: string, remedy: string) => [failing('certificate', `${arn} ${message}`, remedy)]
  const misplaced = misplacedIn(arn, region, caller.account)
  if (misplaced) return refused(misplaced, `request one in ${region}, in this account`)
  const client = new ACMClient(clientIn(region))
  try {
    const { Certificate: found } = await client.send(new DescribeCertificateCommand({ CertificateArn: arn }))
    const { Status: status, DomainName: domain = '', SubjectAlternativeNames: others = [] } = found ?? {}
    if (status !== 'ISSUED') return refused(`is ${status}`, 'a certificate has to be ISSUED: validate it in ACM first')
    const uncovered = names.filter((name) => ![domain, ...others].some((pattern) => covers(pattern, name)))
    if (uncovered.length > 0) return refused(`is not for ${uncovered.join(', ')}`, 'request one for that name')
    return [passed('certificate', `${arn} is issued${names.length > 0 ? ` for ${names.join(', ')}` : ''}`)]
  } catch (error) {
    if (!isNamed(error, 'ResourceNotFoundException')) throw error
    return refused('is not there', `request one in ${region}, and name it in the file of the stage`)
  } finally {
    client.destroy()
  }
}

/** What is wrong with where an ARN is, or undefined. */
export function misplacedIn(arn: string, region: string, account: string): string | undefined {
  try {
    const found = readArn(arn)
    if (found.region !== region) return `is in ${found.region}, and has to be in ${region}`
    return found.account === account ? undefined : `belongs to account ${found.account}, not to ${account}`
  } catch {
    return 'is no ARN'
  }
}

/** An asterisk stands for one label (RFC 9525 section 6.3). */
function covers(pattern: string, name: string): boolean {
  const [one, other] = [pattern.toLowerCase(), name.toLowerCase()]
  return one === other || (one.startsWith('*.') && other.slice(other.indexOf('.')) === one.slice(1))
}
