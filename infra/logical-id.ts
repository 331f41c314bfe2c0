/** The prefix of the logical ids of a function's resources, as the deployment engine makes it. */
export function logicalIdOf(functionName: string): string {
  return functionName.charAt(0).toUpperCase() + functionName.slice(1)
}
