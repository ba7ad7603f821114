/** Whether a discussion sounds like the one in which newcomers say hello, where nobody has said which one that is. */
export const soundsLikeHello = ({ title }: { title: string }) => /introduc|hello|welcome/i.test(title);
