import type { TestProject } from 'vitest/node'
import { stageDestinations } from '../../../infra/deliver/stage.ts'
import { grantedWith, notGranted, unusedByContainer, unusedByFunctions } from './granted.ts'
import { CONTAINER, type RecordedCall } from './recording.ts'

/** Projects whose tests together use every right. */
const USING_ALL = ['api', 'aws']

/**
 * Judges what a project's tests made the service ask of AWS. After a run of all tests of the API, prints what is granted
 * and was not used.
 * @throws Error naming calls that were not granted, and, after such a run, rights of a group that nobody used
 */
export async function judgeCalls(project: TestProject, calls: readonly RecordedCall[]): Promise<void> {
  const granted = grantedWith(await stageDestinations('local'))
  refuse('not granted, but called', notGranted(calls, granted))
  if (!USING_ALL.includes(project.name) || !(await ranWholly(project))) return
  const { shared, own } = unusedByFunctions(calls, 'others', granted)
  // Without the tests of the channels, as in the project `aws`, the container does little of what it does.
  if (project.name === 'api' && !calls.some(({ by }) => by === CONTAINER)) {
    throw new Error('no call of the container was recorded')
  }
  const unused = project.name === 'api' ? [...own, ...unusedByContainer(calls, granted)] : own
  if (unused.length > 0) console.log(inLines(`${project.name}: granted, not seen`, unused))
  refuse('granted to several functions, used by none', shared)
}

/** Whether every test of the project ran and passed. */
async function ranWholly(project: TestProject): Promise<boolean> {
  const { testFiles } = await project.globTestFiles()
  const modules = project.vitest.state.getTestModules().filter((module) => module.project.name === project.name)
  const tests = modules.flatMap(({ children }) => [...children.allTests()])
  return modules.length === testFiles.length && tests.every((test) => test.result().state === 'passed')
}

function refuse(what: string, found: readonly string[]): void {
  if (found.length > 0) throw new Error(inLines(what, found))
}

function inLines(what: string, found: readonly string[]): string {
  return [`${what}:`, ...found].join('\n  ')
}
