import { addCopyButtons } from '../copy-buttons.tsx'

addCopyButtons()
