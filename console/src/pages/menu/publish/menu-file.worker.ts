import type { Answer, Question } from './menu-file.js';
import { judgeFile, type Judgement } from './check-file.js';

let judgement: Judgement | undefined;

addEventListener('message', ({ data }: MessageEvent<Question>) => {
  answer(data).then((said) => postMessage(said), reportError);
});

async function answer(question: Question): Promise<Answer> {
  if (question.is === 'relocate') return judgement?.is === 'sound' ? judgement.relocate(question.errors) : [];
  judgement = await judgeFile(question.file, question.basis);
  if (judgement.is === 'invalid') return judgement;
  const { is, configuration, body, remarks } = judgement;
  return { is, configuration, body, remarks };
}
