import { spawnSync } from 'node:child_process'
import { env, stderr } from 'node:process'

/** AWS's command line, version 2, which is the one that the pages name. */
const AWS = ['aws', '/usr/bin/aws'].find((path) => /^aws-cli\/2/.test(String(spawnSync(path, ['--version']).stdout)))

/** @throws Error in CI, where the tools have to be there */
export function hasAwsTools(): boolean {
  const isThere = AWS !== undefined && spawnSync('jq', ['--version']).status === 0
  if (isThere) return true
  if (env['CI']) throw new Error('CI needs aws, version 2, and jq: apt-get install awscli jq')
  stderr.write('skipped: pages with commands of AWS need aws, version 2, and jq (apt-get install awscli jq)\n')
  return false
}

/** For a shell: `aws` asks the stand-in at AWS_ENDPOINT_URL. */
export const AWS_FUNCTION = `
aws() {
  case "$*" in
    # Debian's command line is older than these options of UpdateTable.
    *--no-deletion-protection-enabled) protect "$4" false;;
    *--deletion-protection-enabled) protect "$4" true;;
    *) command ${AWS} --endpoint-url "$AWS_ENDPOINT_URL" "$@";;
  esac
}
protect() {
  command curl -sf "$AWS_ENDPOINT_URL" -H 'X-Amz-Target: DynamoDB_20120810.UpdateTable' \\
    -d "{\\"TableName\\":\\"$1\\",\\"DeletionProtectionEnabled\\":$2}"
}
`
