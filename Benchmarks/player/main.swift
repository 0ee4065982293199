import Glibc

exit(PlayerBench.run())
