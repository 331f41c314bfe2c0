import { mount } from '../mount.tsx'
import { ReplaysPage } from '../replays/page.tsx'

mount(ReplaysPage)
