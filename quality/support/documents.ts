import { readFileSync, writeFileSync } from 'node:fs'
import { stderr } from 'node:process'
import { readOptions, runCommand } from '../../localstack/command.ts'

/** Writes generated documents, by file; with `--check` writes nothing, and ends with 1 when one of them is stale. */
export function writeDocuments(name: string, documents: Readonly<Record<string, () => string>>): Promise<never> {
  const usage = `npm run quality -- ${name} [--check]

Writes ${Object.keys(documents).join(', ')}. --check only looks whether they are as they would be written; exit 1 if not.
`
  return runCommand({
    name: `quality -- ${name}`,
    usage,
    run(args) {
      const { values } = readOptions({ args: [...args], options: { check: { type: 'boolean', default: false } } })
      const stale = Object.entries(documents).filter(([file, text]) => readFileSync(file, 'utf8') !== text())
      for (const [file, text] of stale) {
        if (values.check) stderr.write(`${file} is stale: npm run quality -- ${name}\n`)
        else writeFileSync(file, text())
      }
      return values.check && stale.length > 0 ? 1 : 0
    },
  })
}
