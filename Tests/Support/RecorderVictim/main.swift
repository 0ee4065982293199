// A recorder to be killed, and to be measured: numbered frames in real time into COUNT recordings below FOLDER.
//
//     RecorderVictim FOLDER COUNT SECONDS
//
// Prints `started` when the first audio is on its way, and at the end the CPU time that it took.
RecorderVictim.main(Array(CommandLine.arguments.dropFirst()))
