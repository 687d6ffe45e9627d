@rem npm start says exec, so that a POSIX shell hands signals on to the service. cmd.exe finds this file instead.
@%*
