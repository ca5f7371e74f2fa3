internal import Glibc

/// nginx over a folder in memory, on loopback, for as long as the object lives.
final class Nginx {
    let baseURL: String
    /// The same files over TLS, with the certificate in `server.pem`, if the folder has one.
    let secureURL: String
    /// As ``secureURL``, but every request takes a connection and a whole handshake.
    let freshURL: String
    private let pid: pid_t

    init(_ folder: ScratchFolder, root: String) throws {
        // Below the ports that the kernel gives to clients: one that still waits there would keep a listener from it.
        let port = 12_000 + Int(getpid() % 6_000)
        baseURL = "http://127.0.0.1:\(port)"
        secureURL = "https://127.0.0.1:\(port + 12_000)"
        freshURL = "https://127.0.0.1:\(port + 6_000)"
        let secure =
            unsafe access(folder.path + "/server.pem", R_OK) == 0
            ? """
            server { listen 127.0.0.1:\(port + 12_000) ssl; root \(root); ssl_protocols TLSv1.2 TLSv1.3;
              ssl_certificate \(folder.path)/server.pem; ssl_certificate_key \(folder.path)/server.key; }
            server { listen 127.0.0.1:\(port + 6_000) ssl; root \(root); ssl_protocols TLSv1.2 TLSv1.3;
              keepalive_timeout 0; ssl_session_tickets off; ssl_session_cache off;
              ssl_certificate \(folder.path)/server.pem; ssl_certificate_key \(folder.path)/server.key; }
            """ : ""
        let configuration = """
            worker_processes 1; daemon off; pid \(folder.path)/nginx.pid; error_log \(folder.path)/error.log;
            events { worker_connections 256; }
            http {
              access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000; types {}
              default_type application/octet-stream;
              client_body_temp_path \(folder.path)/t1; proxy_temp_path \(folder.path)/t2;
              fastcgi_temp_path \(folder.path)/t3; uwsgi_temp_path \(folder.path)/t4; scgi_temp_path \(folder.path)/t5;
              server { listen 127.0.0.1:\(port); root \(root); }
              \(secure)
            }
            """
        try folder.write("nginx.conf", Array(configuration.utf8))
        var pid = pid_t()
        // Ends with this process, also where that is killed.
        let arguments = [
            "setpriv", "--pdeathsig", "TERM", "nginx", "-c", folder.path + "/nginx.conf", "-e",
            folder.path + "/error.log",
        ]
        var pointers: [UnsafeMutablePointer<CChar>?] = unsafe arguments.map { unsafe strdup($0) } + [nil]
        defer { for index in unsafe pointers.indices { unsafe free(pointers[index]) } }
        guard unsafe posix_spawnp(&pid, arguments[0], nil, nil, &pointers, environ) == 0 else {
            throw BenchmarkFailure(message: "can't start setpriv, which is part of util-linux")
        }
        self.pid = pid
        // The first connection that is accepted says that it serves; bounded to 5 s.
        for _ in 0..<500 {
            var end = unsafe siginfo_t()
            // Looks only: it is let go at the end.
            unsafe waitid(P_PID, id_t(pid), &end, WEXITED | WNOHANG | WNOWAIT)
            guard unsafe end.si_signo == 0 else {
                throw BenchmarkFailure(message: "nginx ended at once: install nginx-light, or wait for port \(port)")
            }
            // Written once the ports are its own, which may be somebody else's.
            if unsafe access(folder.path + "/nginx.pid", F_OK) == 0, connects(to: UInt16(port)) { return }
            _ = poll(nil, 0, 10)
        }
        throw BenchmarkFailure(message: "nginx does not answer")
    }

    deinit {
        kill(pid, SIGTERM)
        var status: Int32 = 0
        while unsafe waitpid(pid, &status, 0) < 0, errno == EINTR {}
    }

    private func connects(to port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
