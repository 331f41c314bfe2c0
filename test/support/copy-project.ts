import { cpSync, existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { projectFiles } from './project-files.ts'

/** Copies the project as it is now; what is installed is shared. */
export function copyProject(root: string, copy: string): void {
  for (const file of projectFiles(root)) cpSync(join(root, file), join(copy, file))
  for (const packages of ['node_modules', 'quality/node_modules'])
    if (existsSync(join(root, packages))) symlinkSync(join(root, packages), join(copy, packages))
}
