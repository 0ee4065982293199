internal import Platform

/// Finds a free name and makes the file, so that nothing that is there is ever touched.
enum FileNaming {
    /// At the end of the name of a library file that is still being written.
    static let partSuffix = ".part"
    /// As many files of one name in one folder; more is somebody's mistake.
    private static let clashLimit = 9_999

    struct Made {
        var file: any DiskFile
        /// The name it has now.
        var name: String
        /// The name it will have when finished.
        var finalName: String
    }

    /// Makes `STEM.EXT.part`, or `STEM (2).EXT.part` and so on where a file or a sidecar of that name is there.
    static func create(_ stem: String, extension ext: String, in folder: any DiskFolder) throws(SystemError)
        -> Made
    {
        for number in 1...clashLimit {
            let own = number == 1 ? stem : "\(stem) (\(number))"
            let final = "\(own).\(ext)"
            if folder.contains(final) || folder.contains(Sidecar.name(for: final)) { continue }
            do {
                let file = try folder.create(final + partSuffix, replacing: false)
                return Made(file: file, name: final + partSuffix, finalName: final)
            } catch  where error.code == DiskCode.exists {
                continue
            }
        }
        throw SystemError(
            code: DiskCode.exists, while: "finding a free name like \(stem).\(ext) in \(folder.path)")
    }

    /// Makes `STEM.EXT` under its final name, or `STEM (2).EXT` and so on where a file of that name is there.
    static func createWhole(
        _ stem: String, _ ext: Substring, in folder: any DiskFolder
    ) throws(SystemError) -> Made {
        for number in 1...clashLimit {
            let name = number == 1 ? stem + ext : "\(stem) (\(number))" + ext
            do {
                return Made(file: try folder.create(name, replacing: false), name: name, finalName: name)
            } catch  where error.code == DiskCode.exists {
                continue
            }
        }
        throw SystemError(
            code: DiskCode.exists, while: "finding a free name like \(stem)\(ext) in \(folder.path)")
    }

    /// Gives the finished file its name; another if that one has been taken meanwhile.
    /// - Parameter target: the folder that it goes to, where that is another one.
    /// - Returns: the name it got.
    static func finish(
        _ name: String, as final: String, in folder: any DiskFolder, movingTo target: (any DiskFolder)? = nil
    ) throws(SystemError) -> String {
        guard name != final || target != nil else { return final }
        let stem = Sidecar.stem(of: final)
        let ext = final.dropFirst(stem.count)
        for number in 1...clashLimit {
            let own = number == 1 ? final : "\(stem) (\(number))\(ext)"
            do {
                try folder.move(name, to: own, in: target ?? folder, replacing: false)
                return own
            } catch  where error.code == DiskCode.exists {
                continue
            }
        }
        throw SystemError(code: DiskCode.exists, while: "finding a free name like \(final) in \(folder.path)")
    }
}
