import { type Finding, failing, passed } from '../../infra/finding.ts'

/**
 * Checks whether credentials for a deployed stage are available.
 * @param find rejects if the AWS clients would find no credentials
 */
export async function checkCredentials(stage: string, find: () => Promise<unknown>): Promise<Finding> {
  if (stage === 'local') return passed('AWS', 'no credentials are needed on the local stage')
  const isThere = await find().then(
    () => true,
    () => false,
  )
  if (isThere) return passed('AWS', `credentials for the stage ${stage}`)
  const remedy = 'aws configure, AWS_PROFILE, or AWS_ACCESS_KEY_ID with AWS_SECRET_ACCESS_KEY'
  return failing('AWS', `no credentials for the stage ${stage}`, remedy)
}
