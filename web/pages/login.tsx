import { addCopyButtons } from '../copy-buttons.tsx'
import { addPasskeyLogin } from '../passkeys/login-button.tsx'

addCopyButtons()
addPasskeyLogin()
