import { compactChat } from './compact.ts'
import { configureChat } from './configure.ts'
import { answerInChat, continueChat } from './continue.ts'
import { createChat } from './create.ts'
import { deleteChat } from './delete.ts'
import { copyDemo } from './demo.ts'
import { editPlan } from './edit-plan.ts'
import { executePlan } from './execute-plan.ts'
import { withdrawMessage } from './queue.ts'
import { exportChat } from './export.ts'
import { forkChat, resendMessage } from './fork.ts'
import { sendMessage } from './send.ts'
import { findFiles } from './files/find-files.ts'
import { showAttachment } from './files/show-attachment.ts'
import { findChats, showChat, showRecording } from './show.ts'
import { stopChat } from './stop.ts'
import { restoreChat, showChanges, showCheckpoints, undoChat } from './undo.ts'

/** Everything that can be done with a chat. */
export const chatOperations = [
  createChat,
  findChats,
  showChat,
  showRecording,
  showAttachment,
  configureChat,
  deleteChat,
  sendMessage,
  findFiles,
  withdrawMessage,
  executePlan,
  editPlan,
  answerInChat,
  stopChat,
  continueChat,
  compactChat,
  forkChat,
  resendMessage,
  exportChat,
  showCheckpoints,
  undoChat,
  restoreChat,
  showChanges,
  copyDemo,
] as const
