/** How the name is spelled that a destination of STOMP ends with, after `/topic/public/` or `/user/queue/`. */
export const DESTINATION_NAME = '[\\w.~/-]{1,200}'
