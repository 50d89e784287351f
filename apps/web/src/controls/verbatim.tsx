/** Text from outside within a translated sentence. As a value of the message, its tags would be read as the message's own. */
export const Verbatim = ({ text }: { text: string | undefined }) => <bdi>{text}</bdi>;
