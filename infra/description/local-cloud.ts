import { RULES, type StrictRule } from '../../localstack/strict/rules.ts'
import { table, withParts } from './markdown.ts'

/** The page of local runs. */
export function localCloudPage(): string {
  return withParts('docs/local-cloud.md', { rules })
}

function rules(): string {
  const rows = Object.values<StrictRule>(RULES).map(({ rule, seen, source, undocumented }) => [
    rule,
    seen,
    [source, undocumented && `Not documented: ${undocumented}`].filter(Boolean).join('. '),
  ])
  return table(['rule', 'what is seen of it', 'source'], rows)
}
